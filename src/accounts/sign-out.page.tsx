import { fill } from '../words/fill.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';

/** What an app that signs a person out asks for. */
export interface SignOutRequest {
  app: string;
  /** Where the app wants the person to be sent afterwards, checked. */
  onward?: string | undefined;
}

/** The question whether to sign out. @param sealed the address to go on to, sealed */
export function signOutPage({ messages, base, language }: Ui, asked?: SignOutRequest, sealed?: string): View {
  const { signOut } = messages;
  return {
    title: signOut.title,
    leadsTo: asked?.onward,
    body: (
      <form method="post" action={`${base}/sign-out?${new URLSearchParams({ ui_locales: language })}`} class="card">
        <p>{asked ? fill(signOut.appAsks, { app: asked.app }) : signOut.question}</p>
        <p class="soft">{signOut.appsGoOn}</p>
        {sealed && <input type="hidden" name="onward" value={sealed} />}
        <div class="actions">
          <button type="submit">{signOut.button}</button>
        </div>
      </form>
    ),
  };
}

/** Signed out, with nowhere else to go. */
export function signedOutPage({ messages, base }: Ui): Omit<View, 'cookies'> {
  const { signOut, signIn } = messages;
  return {
    title: signOut.done,
    body: (
      <section class="card">
        <p>{signOut.appsGoOn}</p>
        <p>
          <a href={`${base}/sign-in`}>{signIn.button}</a>
        </p>
      </section>
    ),
  };
}
