import type { Messages } from '../i18n/messages.js';

/** What went wrong, told by a page: which sentence, and which that says what to do. */
export class PageError extends Error {
  constructor(
    readonly status: number,
    readonly messageKey: keyof Messages['errors'],
    readonly helpKey?: keyof Messages['errors'],
    readonly headers: Record<string, string> = {},
  ) {
    super(messageKey);
  }
}
