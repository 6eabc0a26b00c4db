import type { FieldError } from '../../platform/i18n/form-validation-error.js';
import type { ClientType } from './app.entity.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns why an app cannot register the URI, or undefined if it can. A redirect URI is absolute
 * and has no fragment (RFC 6749 §3.1.2). It has no userinfo, backslash or wildcard, which browsers
 * and libraries interpret differently. It uses https, or http on loopback, or, for a public client,
 * a private-use scheme with a dot (RFC 8252 §7.1).
 */
export function validateRedirectUri(uri: string, clientType: ClientType): FieldError['code'] | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || /[\s\p{Cc}\\]/u.test(uri) || /^https?:(?!\/\/[^/])/i.test(uri)) return 'redirectUriInvalid';
  if (uri.includes('#')) return 'redirectUriFragment';
  if (/^[^/?]*:\/\/[^/?]*@/.test(uri)) return 'redirectUriCredentials';
  if (uri.includes('*')) return 'redirectUriWildcard';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.includes(url.hostname) ? undefined : 'redirectUriInsecure';
  if (!url.protocol.includes('.')) return 'redirectUriScheme';
  return clientType === 'public' ? undefined : 'redirectUriPrivateUse';
}

/**
 * Whether another program on the device can receive the response of this URI: on loopback or by a
 * private-use scheme, the user agent cannot tell which program listens (RFC 8252 §8.6).
 */
export function isInterceptableRedirectUri(uri: string): boolean {
  return new URL(uri).protocol !== 'https:';
}

/**
 * Whether the URI equals a registered one. Only the port of a loopback address may differ, since a
 * native app uses any free port (RFC 8252 §7.3).
 */
export function isRegisteredRedirectUri(uri: string, registeredUris: string[]): boolean {
  if (!URL.canParse(uri)) return false;
  return registeredUris.some(
    (registered) => registered === uri || stripLoopbackPort(registered) === stripLoopbackPort(uri),
  );
}

function stripLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}
