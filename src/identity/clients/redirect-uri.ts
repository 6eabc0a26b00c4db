import type { FieldError } from '../../platform/i18n/form-validation-error.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why an address cannot be registered to send people to, or nothing where it can: an absolute address without fragment
 * (RFC 6749 §3.1.2), https except on this machine, or an app's own scheme with a dot in it (RFC 8252 §7.1).
 */
export function validateRedirectUri(uri: string): FieldError['code'] | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || /[\s\p{Cc}]/u.test(uri) || /^https?:(?!\/\/)/i.test(uri)) return 'redirectUriInvalid';
  if (uri.includes('#')) return 'redirectUriFragment';
  if (url.username || url.password) return 'redirectUriCredentials';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.includes(url.hostname) ? undefined : 'redirectUriInsecure';
  return url.protocol.includes('.') ? undefined : 'redirectUriScheme';
}

/**
 * Whether an address is one of those registered: character by character, but that the port of a loopback address may be
 * any, since an app on a person's own machine takes the one that is free (RFC 8252 §7.3).
 */
export function isRegisteredRedirectUri(uri: string, registered: string[]): boolean {
  if (!URL.canParse(uri)) return false;
  return registered.some((one) => one === uri || stripLoopbackPort(one) === stripLoopbackPort(uri));
}

function stripLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}
