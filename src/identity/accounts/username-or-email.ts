/** Returns the normalized form under which a username or e-mail address is unique. */
export function normalizeUsernameOrEmail(usernameOrEmail: string): string {
  return usernameOrEmail.normalize('NFKC').toLowerCase();
}

/** Whether a text has the form of an e-mail address, and fits into its column. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && normalizeUsernameOrEmail(text).length <= 254;
}
