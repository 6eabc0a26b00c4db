import type { VNode } from 'preact';
import type { Settings } from '../../../platform/config/settings.js';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';

interface EmailUnavailableNoticeProps {
  viewContext: ViewContext;
  settings: Settings;
}

/** The notice that this service sends no e-mail, with the address of its operator. */
export function EmailUnavailableNotice({ viewContext, settings }: EmailUnavailableNoticeProps): VNode {
  const { credentials } = viewContext.messages;
  const contact = getOperatorContact(settings);
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

/** Returns the https or mailto address of the operator, if there is one. */
function getOperatorContact(settings: Settings & { CONTACT?: string }): string | undefined {
  return settings.CONTACT;
}
