import { parseCookie, type SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.js';
import { isLanguage, type Language, MESSAGES_BY_LANGUAGE } from './language.js';
import type { Request } from 'express';
import { parseSearchParams } from '../http/request-url.js';

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

/** A request, with the language of the person who is signed in. */
interface LanguageRequest extends Request {
  viewer?: { language: Language | null } | undefined;
}

/**
 * Returns the language of a page: the one that the person chose in this browser, else from
 * `ui_locales` (OpenID Connect Core §3.1.2.1), else the one in the person's profile, else from
 * `Accept-Language`.
 */
export function negotiateLanguage(request: LanguageRequest): Language {
  const uiLocales = parseSearchParams(request).get('ui_locales')?.split(' ') ?? [];
  const language = uiLocales.map(toPrimarySubtag).find(isLanguage);
  return (
    readLanguageCookie(request) ??
    language ??
    request.viewer?.language ??
    ((request.acceptsLanguages(Object.keys(MESSAGES_BY_LANGUAGE)) || 'en') as Language)
  );
}

/** Matches `pt-BR` to `pt` (RFC 4647 §3.4). */
function toPrimarySubtag(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

/** Regions of languages whose messages are written for one region. */
const DEFAULT_LOCALES: Partial<Record<Language, string>> = { pt: 'pt-BR' };

/**
 * Returns the locale that formats dates and numbers: the language of the page, with the region that
 * `Accept-Language` has for it, such as `en-GB`.
 */
export function negotiateLocale(request: Request, language: Language): string {
  const locales = request.acceptsLanguages().flatMap(parseLocale);
  const match = locales.find((locale) => locale.language === language && locale.region !== undefined);
  return match ? `${language}-${match.region}` : (DEFAULT_LOCALES[language] ?? language);
}

/** Returns the locale of a language tag; an empty list if the tag is not well-formed (RFC 5646). */
function parseLocale(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
