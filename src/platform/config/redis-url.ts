/** Message of the setting `REDIS_URL`. */
export const REDIS_URL_RULE =
  'must be an address such as redis://USER:PASSWORD@redis.example.org:6379/0, or rediss://… for TLS. Percent-encode special characters of the password';

/** Whether a text is a value of `REDIS_URL`: a server, with optional credentials and database. */
export function isRedisUrl(text: string): boolean {
  try {
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
    decodeURIComponent(username + password); // throws if the percent-encoding is wrong
    const hasOnlyDatabase = /^(\/\d{0,5})?$/.test(pathname) && search === '' && hash === '';
    return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' && port !== '0' && hasOnlyDatabase;
  } catch {
    return false;
  }
}
