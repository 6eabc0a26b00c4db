import type { VNode } from 'preact';
import { interpolateNodes } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { EmailTakenError } from './account-errors.js';
import type { EmailTokenPurpose } from './email-token.entity.js';
import { InvalidLinkError } from './email-tokens.service.js';

/**
 * Renders the page of a link that does not work, or whose address is taken: the reason, and what to
 * do.
 * @throws the error itself if it is of another kind
 */
export function renderRejectedLinkPage(viewContext: ViewContext, error: unknown, purpose: EmailTokenPurpose): View {
  const { recovery } = viewContext.messages;
  if (error instanceof EmailTakenError) {
    return {
      title: recovery.invalidLink,
      status: 409,
      body: <RejectedLink viewContext={viewContext} purpose={purpose} reason={recovery.emailTaken} />,
    };
  }
  if (!(error instanceof InvalidLinkError)) throw error;
  const isEnded = error.reason === 'ended';
  const reason = isEnded ? recovery.linkEnded : recovery.linkUnknown;
  return {
    title: recovery.invalidLink,
    status: isEnded ? 410 : 400,
    body: <RejectedLink viewContext={viewContext} purpose={purpose} reason={reason} />,
  };
}

interface RejectedLinkProps {
  viewContext: ViewContext;
  purpose: EmailTokenPurpose;
  reason: string;
}

function RejectedLink({ viewContext: { messages, basePath }, purpose, reason }: RejectedLinkProps): VNode {
  const { recovery, credentials } = messages;
  const help = {
    'reset-password': recovery.newResetLink,
    'verify-email': recovery.newVerifyLink,
    'take-back-email': recovery.newTakeBackLink,
  }[purpose];
  return (
    <section class="card">
      <p>{reason}</p>
      <p>{help}</p>
      <p>
        {purpose === 'verify-email' ? (
          <a href={`${basePath}/account/email`}>{credentials.emailTitle}</a>
        ) : (
          <a href={`${basePath}/forgot-password`}>{recovery.forgotPassword}</a>
        )}
      </p>
    </section>
  );
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
