import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { TakeBackTarget } from './email-take-back.service.js';

/**
 * Renders the page of a link that takes an address back.
 * @param token the secret of the link, which the form repeats
 */
export function renderTakeBackEmailPage(
  { messages: { recovery }, basePath }: ViewContext,
  { username, email }: TakeBackTarget,
  token: string,
): View {
  const values = { username: <strong>{username}</strong>, email: <strong>{email}</strong> };
  return {
    title: recovery.takeBackEmail,
    body: (
      <>
        <p class="lead">{interpolateNodes(recovery.takeBackAccount, values)}</p>
        <form method="post" action={`${basePath}/take-back-email`} class="card">
          <p>{recovery.takeBackEffect}</p>
          <input type="hidden" name="token" value={token} />
          <div class="actions">
            <button type="submit">{recovery.takeBack}</button>
          </div>
        </form>
      </>
    ),
  };
}
