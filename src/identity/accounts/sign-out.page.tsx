import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/** What an app that signs a person out asks for. */
export interface SignOutRequest {
  appName: string;
  /** Where the app wants the person to be sent afterwards, checked. */
  redirectUri?: string | undefined;
}

/** The question whether to sign out. @param sealed the address to go on to, sealed */
export function renderSignOutPage(
  { messages, basePath, language }: ViewContext,
  asked?: SignOutRequest,
  sealed?: string,
): View {
  const { signOut } = messages;
  return {
    title: signOut.title,
    formRedirectUri: asked?.redirectUri,
    body: (
      <form method="post" action={`${basePath}/sign-out?${new URLSearchParams({ ui_locales: language })}`} class="card">
        <p>{asked ? interpolate(signOut.appRequest, { app: asked.appName }) : signOut.question}</p>
        <p class="soft">{signOut.appsKeepAccess}</p>
        {sealed && <input type="hidden" name="onward" value={sealed} />}
        <div class="actions">
          <button type="submit">{signOut.button}</button>
        </div>
      </form>
    ),
  };
}

/** Signed out, with nowhere else to go. */
export function renderSignedOutPage({ messages, basePath }: ViewContext): Omit<View, 'cookies'> {
  const { signOut, signIn } = messages;
  return {
    title: signOut.signedOut,
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
