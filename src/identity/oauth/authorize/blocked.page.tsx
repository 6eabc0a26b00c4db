import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { buildSwitchAccountUrl } from './switch-account-url.js';

interface BlockedPageProps {
  reason: string;
  appName: string;
  /** The address at which the app is told that nothing was allowed. */
  errorRedirectUrl: string;
  /** What the app asked for, as it came. */
  authorizationParams: URLSearchParams;
}

/** Tells a blocked person why they cannot allow anything. */
export function renderBlockedPage(
  ui: ViewContext,
  { reason, appName, errorRedirectUrl, authorizationParams }: BlockedPageProps,
): View {
  const { blocked, consent } = ui.messages;
  return {
    title: blocked.title,
    status: 403,
    body: (
      <section class="card">
        <p>{interpolate(blocked.reason, { reason })}</p>
        <p>{blocked.help}</p>
        <p>
          <a href={errorRedirectUrl}>{interpolate(blocked.back, { app: appName })}</a>
        </p>
        <p>
          <a href={buildSwitchAccountUrl(ui, authorizationParams)}>{consent.switchAccount}</a>
        </p>
      </section>
    ),
  };
}
