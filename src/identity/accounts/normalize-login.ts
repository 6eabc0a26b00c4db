/** Returns the normalized form under which a username or e-mail address is unique. */
export function normalizeLogin(login: string): string {
  return login.normalize('NFKC').toLowerCase();
}
