import type { SetCookie } from 'cookie';
import { Redirect } from '../../../platform/http/redirect.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';

/** An app's request to sign the person out. */
export interface SignOutRequest {
  appName: string;
  /** Registered URI to which the person is redirected after signing out. */
  redirectUri?: string | undefined;
}

/**
 * Renders the page that asks the person to confirm signing out.
 * @param encryptedRedirectUri hidden form field
 */
export function renderSignOutPage(
  { messages, basePath, language }: ViewContext,
  request?: SignOutRequest,
  encryptedRedirectUri?: string,
): View {
  const { signOut } = messages;
  return {
    title: signOut.title,
    formRedirectUri: request?.redirectUri,
    body: (
      <form method="post" action={`${basePath}/sign-out?${new URLSearchParams({ ui_locales: language })}`} class="card">
        <p>{request ? interpolate(signOut.appRequest, { app: request.appName }) : signOut.question}</p>
        <p class="secondary">{signOut.appsKeepAccess}</p>
        {encryptedRedirectUri && <input type="hidden" name="onward" value={encryptedRedirectUri} />}
        <div class="actions">
          <button type="submit">{signOut.button}</button>
          <a class="button quiet" href={`${basePath}/account`}>
            {signOut.stay}
          </a>
        </div>
      </form>
    ),
  };
}

/**
 * Returns the response after signing out: a redirect to the URI of the app, or a page without one.
 * @param cookie deletes the cookie of the session
 */
export function toSignedOutResponse(
  viewContext: ViewContext,
  cookie: SetCookie,
  redirectUri: string | undefined,
): View | Redirect {
  if (redirectUri !== undefined) return new Redirect(redirectUri, [cookie]);
  viewContext.viewer = undefined;
  const { messages, basePath } = viewContext;
  const { signOut, signIn } = messages;
  return {
    title: signOut.signedOut,
    cookies: [cookie],
    body: (
      <section class="card">
        <p>{signOut.appsKeepAccess}</p>
        <p>
          <a href={`${basePath}/sign-in`}>{signIn.button}</a>
        </p>
      </section>
    ),
  };
}
