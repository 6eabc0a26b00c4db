import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../account.entity.js';

/** Renders the question whether the messages about decisions end. */
export function renderUnsubscribePage(
  { messages: { unsubscribe }, basePath }: ViewContext,
  { username }: Account,
  token: string,
): View {
  return {
    title: unsubscribe.title,
    body: (
      <>
        <p class="lead">{interpolate(unsubscribe.question, { username })}</p>
        <form method="post" action={`${basePath}/unsubscribe?${new URLSearchParams({ token })}`} class="actions">
          <button type="submit">{unsubscribe.button}</button>
        </form>
      </>
    ),
  };
}

/** Renders the page after the messages ended. */
export function renderUnsubscribedPage({ messages: { unsubscribe, profile }, basePath }: ViewContext): View {
  return {
    title: unsubscribe.title,
    body: (
      <>
        <p class="success" role="status">
          {unsubscribe.done}
        </p>
        <p>
          {unsubscribe.doneHelp} <a href={`${basePath}/account/profile`}>{profile.title}</a>
        </p>
      </>
    ),
  };
}

/** Renders the page of a link that was never sent, or whose account is deleted. */
export function renderUnknownLinkPage({ messages: { unsubscribe } }: ViewContext): View {
  return { title: unsubscribe.title, status: 400, body: <p>{unsubscribe.unknown}</p> };
}
