import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { PublicAppsLink } from '../../../platform/views/navigation.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { ConfirmationTarget } from './email-addresses.service.js';

interface VerifyEmailPageProps {
  target: ConfirmationTarget;
  /** The secret of the link, which the forms repeat. */
  token: string;
  /** Account of the session, if there is one. */
  accountId: string | undefined;
  status?: number | undefined;
}

/**
 * Renders the page of a link that confirms an e-mail address. The form that confirms is only for a
 * session of the account.
 */
export function renderVerifyEmailPage(viewContext: ViewContext, props: VerifyEmailPageProps): View {
  const { messages, basePath } = viewContext;
  const { recovery } = messages;
  const { target, token, accountId, status = 200 } = props;
  const values = { username: <strong>{target.username}</strong>, email: <strong>{target.email}</strong> };
  return {
    title: recovery.verifyEmail,
    status,
    body: (
      <>
        <p class="lead">{interpolateNodes(recovery.verifyEmailQuestion, values)}</p>
        {accountId === target.accountId ? (
          <form method="post" action={`${basePath}/verify-email`} class="card">
            <input type="hidden" name="token" value={token} />
            <div class="actions">
              <button type="submit">{recovery.confirm}</button>
            </div>
          </form>
        ) : (
          <SignInNotice viewContext={viewContext} {...props} />
        )}
        <form method="post" action={`${basePath}/verify-email/reject`} class="card">
          <p>{recovery.notMyAccountHelp}</p>
          <input type="hidden" name="token" value={token} />
          <div class="actions">
            <button type="submit" class="quiet">
              {recovery.notMyAccount}
            </button>
          </div>
        </form>
      </>
    ),
  };
}

/** Says which account must confirm, and links to the sign-in page, which returns to this page. */
function SignInNotice(props: VerifyEmailPageProps & { viewContext: ViewContext }): VNode {
  const { viewContext, target, token, accountId } = props;
  const { messages, basePath, viewer } = viewContext;
  const { recovery, signIn } = messages;
  const text = accountId === undefined ? recovery.signInToConfirm : recovery.otherAccountSignedIn;
  const values = { username: <strong>{target.username}</strong>, other: <strong>{viewer?.username}</strong> };
  return (
    <section class="card">
      <p>{interpolateNodes(text, values)}</p>
      <p>
        <a class="button" href={buildSignInPath(basePath, token)}>
          {signIn.button}
        </a>
      </p>
    </section>
  );
}

/** Returns the path of the sign-in page that returns to the page of a link. */
function buildSignInPath(basePath: string, token: string): string {
  const returnTo = `${basePath}/verify-email?${new URLSearchParams({ token })}`;
  return `${basePath}/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Renders the page after the address was confirmed. */
export function renderEmailConfirmedPage(viewContext: ViewContext, email: string): View {
  const { messages, basePath } = viewContext;
  const { recovery, account } = messages;
  return {
    title: recovery.emailConfirmed,
    body: (
      <section class="card">
        <p role="status">{interpolateNodes(recovery.emailConfirmedHelp, { email: <strong>{email}</strong> })}</p>
        <PublicAppsLink viewContext={viewContext} />
        <p>
          <a href={`${basePath}/account`}>{account.title}</a>
        </p>
      </section>
    ),
  };
}

/** Renders the page after the reader of a link said that the account is not theirs. */
export function renderEmailRejectedPage(
  { messages: { recovery, signUp }, basePath }: ViewContext,
  { username, email }: ConfirmationTarget,
): View {
  const values = { username: <strong>{username}</strong>, email: <strong>{email}</strong> };
  return {
    title: recovery.emailRejected,
    body: (
      <section class="card">
        <p role="status">{interpolateNodes(recovery.emailRejectedHelp, values)}</p>
        <p>
          <a href={`${basePath}/sign-up`}>{signUp.title}</a>
        </p>
      </section>
    ),
  };
}
