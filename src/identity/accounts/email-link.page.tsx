import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { EmailTokenPurpose } from './email-token.entity.js';
import type { InvalidLinkError } from './email-tokens.service.js';
import type { VNode } from 'preact';
import { interpolateNodes } from '../../platform/i18n/interpolate.js';

const STATUS_BY_REASON = { unknown: 400, ended: 410 };

/** Renders the page of a link that does not work: the reason, and how to get a new link. */
export function renderInvalidLinkPage(
  { messages: { recovery, credentials }, basePath }: ViewContext,
  { reason }: InvalidLinkError,
  purpose: EmailTokenPurpose,
): View {
  const isReset = purpose === 'reset-password';
  return {
    title: recovery.invalidLink,
    status: STATUS_BY_REASON[reason],
    body: (
      <section class="card">
        <p>{reason === 'ended' ? recovery.linkEnded : recovery.linkUnknown}</p>
        <p>{isReset ? recovery.newResetLink : recovery.newVerifyLink}</p>
        <p>
          {isReset ? (
            <a href={`${basePath}/forgot-password`}>{recovery.forgotPassword}</a>
          ) : (
            <a href={`${basePath}/account/email`}>{credentials.emailTitle}</a>
          )}
        </p>
      </section>
    ),
  };
}

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

/** The notice that a page adds nothing to the account until the e-mail address is confirmed. */
export function UnconfirmedEmailNotice({ viewContext }: { viewContext: ViewContext }): VNode {
  return (
    <section class="card">
      <p>{viewContext.messages.errors.emailUnconfirmed}</p>
      <SendConfirmationForm viewContext={viewContext} />
    </section>
  );
}

/**
 * The form that sends another link to confirm the e-mail address. Show it for an address that is
 * not verified, if this service sends e-mail.
 */
export function SendConfirmationForm({ viewContext }: { viewContext: ViewContext }): VNode {
  const { basePath, messages } = viewContext;
  return (
    <form method="post" action={`${basePath}/account/email/send-again`}>
      <button type="submit" class="quiet">
        {messages.credentials.sendAgain}
      </button>
    </form>
  );
}
