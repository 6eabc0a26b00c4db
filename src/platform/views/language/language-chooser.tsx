import type { VNode } from 'preact';
import { type Language, LANGUAGE_NAMES } from '../../i18n/language.js';
import type { ViewContext } from '../view-context.js';

/**
 * One button for each language. Nothing on a page that responds to a form, because the browser
 * cannot show it again in another language.
 */
export function LanguageChooser({ viewContext }: { viewContext: ViewContext }): VNode | null {
  const { basePath, messages, language: shown, returnTo } = viewContext;
  if (returnTo === undefined) return null;
  return (
    <form method="post" action={`${basePath}/language`} class="languages" aria-label={messages.footer.language}>
      <input type="hidden" name="return_to" value={returnTo} />
      {(Object.keys(LANGUAGE_NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="submit"
          name="language"
          value={language}
          lang={language}
          aria-current={language === shown ? 'true' : undefined}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </form>
  );
}
