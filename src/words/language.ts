import type { Request } from 'express';
import { searchParamsOf } from '../http/search-params.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { Messages } from './messages.js';
import { pt } from './pt.js';

/** The languages that the pages speak. The first is for whoever speaks none of them. */
export const LANGUAGES = { en, es, fr, de, pt } satisfies Record<string, Messages>;

export type Language = keyof typeof LANGUAGES;

/** The language of a page: by `ui_locales` (OpenID Connect Core §3.1.2.1), then by what the browser asks for. */
export function languageOf(request: Request): Language {
  const asked = searchParamsOf(request).get('ui_locales')?.split(' ') ?? [];
  const wished = asked.map(primary).find(isLanguage);
  const spoken = Object.keys(LANGUAGES);
  return wished ?? ((request.acceptsLanguages(spoken) || 'en') as Language);
}

/** `pt-BR` is a kind of `pt` (RFC 4647 §3.4). */
function primary(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
