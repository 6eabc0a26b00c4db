import type { Messages } from '../i18n/language.js';

/**
 * An error that is shown as a page, with an error message and an optional message about what to do
 * next.
 */
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
