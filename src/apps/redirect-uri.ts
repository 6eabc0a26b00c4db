const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why an address cannot be registered to send people to, or nothing where it can: an absolute address without fragment
 * (RFC 6749 §3.1.2), https except on this machine, or an app's own scheme with a dot in it (RFC 8252 §7.1).
 */
export function redirectUriProblem(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || /\s/.test(uri) || /^https?:(?!\/\/)/i.test(uri)) return `${uri} is not an absolute address.`;
  if (uri.includes('#')) return `${uri} has a fragment, which a redirect address cannot have.`;
  if (url.username || url.password) return `${uri} has a user name or password in it.`;
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return LOOPBACK.includes(url.hostname) ? undefined : `${uri} must use https: only this machine may use http.`;
  }
  return url.protocol.includes('.')
    ? undefined
    : `${uri} uses a scheme that is no web address and no reversed domain name.`;
}
