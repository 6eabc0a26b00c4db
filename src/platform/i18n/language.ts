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

/** Whether a text is the tag of a supported language. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(MESSAGES_BY_LANGUAGE, tag);
}
