import type { VNode } from 'preact';
import type { ViewContext } from './view-context.js';

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
