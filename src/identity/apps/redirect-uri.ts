import type { FieldError } from '../../platform/i18n/invalid-fields-error.js';
import type { ClientType } from './app.entity.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** White space, and characters that are invisible or reorder the text after them. */
const INVISIBLE_CHARACTERS = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

type RedirectUriError = Omit<FieldError, 'field'>;

/**
 * Returns why an app cannot register the URI, or undefined if it can. A redirect URI is absolute
 * and has no fragment (RFC 6749 §3.1.2). It has no userinfo, backslash or wildcard, which browsers
 * and libraries interpret differently. It uses https, or http on loopback, or, for a public client,
 * a private-use scheme with a dot (RFC 8252 §7.1). It has the form that browsers send, so that
 * its text shows where the person is sent.
 */
export function validateRedirectUri(uri: string, clientType: ClientType): RedirectUriError | undefined {
  const code = findBrokenRule(uri, clientType);
  if (!code) return undefined;
  const value = uri.replace(INVISIBLE_CHARACTERS, (character) => (character === ' ' ? ' ' : '\u{fffd}'));
  return code === 'redirectUriRewritten' ? { code, value, suggestion: new URL(uri).href } : { code, value };
}

function findBrokenRule(uri: string, clientType: ClientType): FieldError['code'] | undefined {
  if (uri.search(INVISIBLE_CHARACTERS) >= 0) return 'redirectUriInvisible';
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || uri.includes('\\') || /^https?:(?!\/\/[^/])/i.test(uri)) return 'redirectUriInvalid';
  if (uri.includes('#')) return 'redirectUriFragment';
  if (/^[^/?]*:\/\/[^/?]*@/.test(uri)) return 'redirectUriCredentials';
  if (uri.includes('*')) return 'redirectUriWildcard';
  if (url.hostname !== '' && hasEmptyLabel(url.hostname)) return 'redirectUriHost';
  return findBrokenSchemeRule(url, clientType) ?? (isRewritten(uri, url) ? 'redirectUriRewritten' : undefined);
}

function findBrokenSchemeRule({ protocol, hostname }: URL, clientType: ClientType): FieldError['code'] | undefined {
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') return LOOPBACK_HOSTS.includes(hostname) ? undefined : 'redirectUriInsecure';
  if (!protocol.includes('.') || hasEmptyLabel(protocol.slice(0, -1))) return 'redirectUriScheme';
  return clientType === 'public' ? undefined : 'redirectUriPrivateUse';
}

function hasEmptyLabel(domainName: string): boolean {
  return domainName.split('.').includes('');
}

/**
 * Whether a browser sends the URI as another text. Only letter case of scheme and host, and the
 * slash of an empty path may differ.
 */
function isRewritten(uri: string, { href }: URL): boolean {
  const withPath = uri.replace(/^(https?:\/\/[^/?]+)(?=\?|$)/i, '$1/');
  // `toLowerCase` maps the Kelvin sign, which is not ASCII, to k.
  return !/^[\x21-\x7e]*$/.test(uri) || withPath.toLowerCase() !== href.toLowerCase();
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

/**
 * Returns the host of a redirect URI, without the port of a loopback address, or the whole URI if
 * it has a private-use scheme.
 */
export function getRedirectHost(uri: string): string {
  return formatRedirectDestination(stripLoopbackPort(uri));
}

function stripLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/i, '$1');
}

/** Returns the host of a web address, or the whole address if it has a private-use scheme. */
export function formatRedirectDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : redirectUri;
}
