import de from '../../../locales/de.json' with { type: 'json' };
import en from '../../../locales/en.json' with { type: 'json' };
import es from '../../../locales/es.json' with { type: 'json' };
import fr from '../../../locales/fr.json' with { type: 'json' };
import pt from '../../../locales/pt.json' with { type: 'json' };

/**
 * The messages of all pages in one language, with the same keys as the English ones. `{name}` in a
 * message is a placeholder.
 */
export type Messages = Translated<typeof en>;

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };

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
