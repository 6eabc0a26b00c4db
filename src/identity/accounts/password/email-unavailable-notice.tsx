import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';

/** The notice that this service sends no e-mail, with the address of its operator. */
export function EmailUnavailableNotice({ viewContext }: { viewContext: ViewContext }): VNode {
  const { contact, messages } = viewContext;
  const { credentials } = messages;
  return (
    <section class="card">
      <p>{credentials.emailUnavailable}</p>
      {contact !== undefined && (
        <p>
          {interpolateNodes(credentials.operatorContact, {
            contact: <a href={contact}>{contact.replace(/^mailto:/, '')}</a>,
          })}
        </p>
      )}
    </section>
  );
}
