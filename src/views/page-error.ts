import type { Messages } from '../words/messages.js';

/** What went wrong, told by a page: which sentence, and which that says what to do. */
export class PageError extends Error {
  constructor(
    readonly status: number,
    readonly sentence: keyof Messages['errors'],
    readonly help?: keyof Messages['errors'],
    readonly headers: Record<string, string> = {},
  ) {
    super(sentence);
  }
}
