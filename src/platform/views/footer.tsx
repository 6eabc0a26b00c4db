import type { VNode } from 'preact';
import type { ViewContext } from './view-context.js';
import { type Language, LANGUAGE_NAMES } from '../i18n/language.js';

/** The footer of every page: contact, license, apps, documents, policies and languages. */
export function Footer({ viewContext }: { viewContext: ViewContext }): VNode {
  const { messages, basePath, privacyPolicy, statusPage, license } = viewContext;
  const { footer } = messages;
  return (
    <footer>
      <ContactLine viewContext={viewContext} />
      <LicenseLine viewContext={viewContext} />
      <p class="footer-links">
        <a href={`${basePath}/apps`}>{messages.publicApps.title}</a>
        <a href={`${basePath}/docs`}>{messages.documentation.title}</a>
        {license.termsUrl !== undefined && <a href={license.termsUrl}>{footer.terms}</a>}
        {privacyPolicy !== undefined && <a href={privacyPolicy}>{footer.privacyPolicy}</a>}
        {statusPage !== undefined && <a href={statusPage}>{footer.statusPage}</a>}
      </p>
      <LanguageChooser viewContext={viewContext} />
    </footer>
  );
}

/** The attribution and the license of the data; nothing if the operator set none. */
function LicenseLine({ viewContext: { license, messages } }: { viewContext: ViewContext }): VNode | null {
  const { id, url, attribution } = license;
  if (id === undefined && attribution === undefined) return null;
  return (
    <p>
      {attribution}
      {attribution !== undefined && id !== undefined && ' '}
      {id !== undefined && (
        <>
          {messages.footer.license}{' '}
          <a rel="license" href={url}>
            {id}
          </a>
        </>
      )}
    </p>
  );
}

/** A line with the address of the people who run the service; nothing if the operator set none. */
export function ContactLine({ viewContext: { contact, messages } }: { viewContext: ViewContext }): VNode | null {
  if (contact === undefined) return null;
  return (
    <p>
      {messages.contact} <a href={contact}>{formatContact(contact)}</a>
    </p>
  );
}

/** Returns the e-mail address, or the URL without its scheme. */
function formatContact(contact: string): string {
  return contact.replace(/^(mailto:|https:\/\/)/, '').replace(/\/$/, '');
}

/**
 * One button for each language. It leads back to the page; after a form, to the page of the form.
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
