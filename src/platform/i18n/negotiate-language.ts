import type { Request } from 'express';
import { parseSearchParams } from '../http/search-params.decorator.js';
import { readLanguageCookie } from './language-cookie.js';
import { isLanguage, type Language, MESSAGES_BY_LANGUAGE } from './language.js';

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
