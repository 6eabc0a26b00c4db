import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { InvalidLinkError } from '../email-tokens.service.js';
import { EmailTakenError } from './email-addresses.service.js';
import { renderInvalidLinkPage } from '../email-link.page.js';

interface VerifyEmailPageProps {
  /** The address to confirm. */
  email: string;
  /** The secret of the link, which the form repeats. */
  token: string;
}

/** Renders the form that confirms an e-mail address. */
export function renderVerifyEmailPage(
  { messages: { recovery }, basePath }: ViewContext,
  { email, token }: VerifyEmailPageProps,
): View {
  return {
    title: recovery.verifyEmail,
    body: (
      <form method="post" action={`${basePath}/verify-email`} class="card">
        <p>{interpolateNodes(recovery.verifyEmailQuestion, { email: <strong>{email}</strong> })}</p>
        <input type="hidden" name="token" value={token} />
        <div class="actions">
          <button type="submit">{recovery.confirm}</button>
        </div>
      </form>
    ),
  };
}

/** Renders the page after the address was confirmed. */
export function renderEmailConfirmedPage({ messages: { recovery, home }, basePath }: ViewContext, email: string): View {
  return {
    title: recovery.emailConfirmed,
    body: (
      <section class="card">
        <p role="status">{interpolateNodes(recovery.emailConfirmedHelp, { email: <strong>{email}</strong> })}</p>
        <p>
          <a href={`${basePath}/account/apps`}>{home.members}</a>
        </p>
      </section>
    ),
  };
}

/**
 * Renders the page of a link that does not work, or whose address is taken.
 * @throws the error itself if it is of another kind
 */
export function renderRejectedLinkPage(viewContext: ViewContext, error: unknown): View {
  if (error instanceof InvalidLinkError) return renderInvalidLinkPage(viewContext, error, 'verify-email');
  if (!(error instanceof EmailTakenError)) throw error;
  const { recovery, credentials } = viewContext.messages;
  return {
    title: recovery.invalidLink,
    status: 409,
    body: (
      <section class="card">
        <p>{recovery.emailTaken}</p>
        <p>
          <a href={`${viewContext.basePath}/account/email`}>{credentials.emailTitle}</a>
        </p>
      </section>
    ),
  };
}
