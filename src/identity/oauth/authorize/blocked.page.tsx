import { interpolate } from '../../../platform/i18n/interpolate.js';
import { ContactLine } from '../../../platform/views/contact-line.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { buildSwitchAccountUrl } from './switch-account-url.js';

interface BlockedPageProps {
  reason: string;
  appName: string;
  /** Redirect URL that returns `access_denied` to the app. */
  errorRedirectUrl: string;
  /** Parameters of the authorization request. */
  authorizationParams: URLSearchParams;
}

/** Renders the page for a person whose account is blocked, with the reason. */
export function renderBlockedPage(
  viewContext: ViewContext,
  { reason, appName, errorRedirectUrl, authorizationParams }: BlockedPageProps,
): View {
  const { blocked, consent } = viewContext.messages;
  return {
    title: blocked.title,
    status: 403,
    body: (
      <section class="card">
        <p>{interpolate(blocked.reason, { reason })}</p>
        <p>{blocked.help}</p>
        <ContactLine viewContext={viewContext} />
        <p>
          <a href={errorRedirectUrl}>{interpolate(blocked.back, { app: appName })}</a>
        </p>
        <p>
          <a href={buildSwitchAccountUrl(viewContext, authorizationParams)}>{consent.switchAccount}</a>
        </p>
      </section>
    ),
  };
}
