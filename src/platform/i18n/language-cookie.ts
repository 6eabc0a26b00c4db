import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.js';
import { isLanguage, type Language } from './language.js';

const COOKIE_NAME = 'language';

/** Seconds for which a browser remembers the language: one year. */
const MAX_AGE_SECONDS = 31_536_000;

/** Returns the language that the person chose in this browser. */
export function readLanguageCookie(request: IncomingMessage): Language | undefined {
  const value = parseCookie(request.headers.cookie ?? '')[COOKIE_NAME] ?? '';
  return isLanguage(value) ? value : undefined;
}

/** Builds the cookie that stores a chosen language. */
export function buildLanguageCookie(settings: Settings, language: Language): SetCookie {
  return buildCookie(settings, language, MAX_AGE_SECONDS);
}

/** Builds the cookie that deletes the stored language. */
export function buildExpiredLanguageCookie(settings: Settings): SetCookie {
  return buildCookie(settings, '', 0);
}

function buildCookie({ basePath, isHttps }: Settings, value: string, maxAge: number): SetCookie {
  const path = basePath || '/';
  return { name: COOKIE_NAME, value, maxAge, path, httpOnly: true, sameSite: 'lax', secure: isHttps };
}
