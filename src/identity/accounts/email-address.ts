import { normalizeLogin } from './normalize-login.js';

/** Whether a text has the form of an e-mail address, and fits into its column. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && normalizeLogin(text).length <= 254;
}
