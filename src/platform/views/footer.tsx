import type { VNode } from 'preact';
import { ContactLine } from './contact-line.js';
import { LanguageChooser } from './language/language-chooser.js';
import type { ViewContext } from './view-context.js';

/** The footer of every page: contact, privacy policy, status page and languages. */
export function Footer({ viewContext }: { viewContext: ViewContext }): VNode {
  const { messages, privacyPolicy, statusPage } = viewContext;
  return (
    <footer>
      <ContactLine viewContext={viewContext} />
      {(privacyPolicy ?? statusPage) !== undefined && (
        <p class="footer-links">
          {privacyPolicy !== undefined && <a href={privacyPolicy}>{messages.footer.privacyPolicy}</a>}
          {statusPage !== undefined && <a href={statusPage}>{messages.footer.statusPage}</a>}
        </p>
      )}
      <LanguageChooser viewContext={viewContext} />
    </footer>
  );
}
