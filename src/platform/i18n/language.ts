import type { Request } from 'express';
import { parseSearchParams } from '../http/search-params.decorator.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { Messages } from './messages.js';
import { pt } from './pt.js';

/** The languages that the pages speak. The first is for whoever speaks none of them. */
export const MESSAGES_BY_LANGUAGE = { en, es, fr, de, pt } satisfies Record<string, Messages>;

export type Language = keyof typeof MESSAGES_BY_LANGUAGE;

/** The language of a page: by `ui_locales` (OpenID Connect Core §3.1.2.1), then by what the browser asks for. */
export function negotiateLanguage(request: Request): Language {
  const asked = parseSearchParams(request).get('ui_locales')?.split(' ') ?? [];
  const wished = asked.map(toPrimarySubtag).find(isLanguage);
  const spoken = Object.keys(MESSAGES_BY_LANGUAGE);
  return wished ?? ((request.acceptsLanguages(spoken) || 'en') as Language);
}

/** `pt-BR` is a kind of `pt` (RFC 4647 §3.4). */
function toPrimarySubtag(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(MESSAGES_BY_LANGUAGE, tag);
}
