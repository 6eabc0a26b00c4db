import type { Request } from 'express';
import type { Language } from './language.js';

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
