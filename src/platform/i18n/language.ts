import type { Request } from 'express';
import { parseSearchParams } from '../http/search-params.decorator.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { Messages } from './messages.js';
import { pt } from './pt.js';

/** The messages of the pages by language. English is the default. */
export const MESSAGES_BY_LANGUAGE = { en, es, fr, de, pt } satisfies Record<string, Messages>;

/** Language tag of a supported language. */
export type Language = keyof typeof MESSAGES_BY_LANGUAGE;

/** The name of each language in the language itself. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
};

/** A request, with the language of the person who is signed in. */
interface LanguageRequest extends Request {
  viewer?: { language: Language | null } | undefined;
}

/**
 * Returns the language of a page: from `ui_locales` (OpenID Connect Core §3.1.2.1), else the
 * language that the person saved, else from `Accept-Language`.
 */
export function negotiateLanguage(request: LanguageRequest): Language {
  const uiLocales = parseSearchParams(request).get('ui_locales')?.split(' ') ?? [];
  const language = uiLocales.map(toPrimarySubtag).find(isLanguage);
  return (
    language ??
    request.viewer?.language ??
    ((request.acceptsLanguages(Object.keys(MESSAGES_BY_LANGUAGE)) || 'en') as Language)
  );
}

/** Matches `pt-BR` to `pt` (RFC 4647 §3.4). */
function toPrimarySubtag(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

/** Whether a text is the tag of a supported language. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(MESSAGES_BY_LANGUAGE, tag);
}
