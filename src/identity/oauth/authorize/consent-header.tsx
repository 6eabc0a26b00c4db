import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import type { App } from '../../apps/app.entity.js';
import { AppIcon } from '../../apps/app-icon.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDate } from '../../../platform/views/date-time.js';
import { ExternalLink } from '../../../platform/views/external-link.js';
import type { ViewContext, Viewer } from '../../../platform/views/view-context.js';
import { buildSwitchAccountUrl } from './switch-account-url.js';

interface ConsentHeaderProps {
  viewContext: ViewContext;
  app: App;
  redirectUri: string;
  authorizationParams: URLSearchParams;
}

/** The app, the person, and the destination after the decision. */
export function ConsentHeader({ viewContext, app, redirectUri, authorizationParams }: ConsentHeaderProps): VNode {
  const { messages, viewer } = viewContext;
  const { consent } = messages;
  return (
    <div class="consent-header">
      <div>
        <AppIcon viewContext={viewContext} app={app} />
        <p>
          <strong>{app.name}</strong>
          {app.homePage && <ExternalLink viewContext={viewContext} href={app.homePage} />}
        </p>
      </div>
      <p>
        <span>{interpolateNodes(consent.signedInAs, { name: <b>{formatFullName(viewer!)}</b> })}</span>
        <a href={buildSwitchAccountUrl(viewContext, authorizationParams)}>{consent.switchAccount}</a>
      </p>
      <p>
        <span>
          {interpolateNodes(consent.redirectNotice, { place: <b>{formatRedirectDestination(redirectUri)}</b> })}
        </span>
      </p>
    </div>
  );
}

interface AboutAppProps {
  viewContext: ViewContext;
  app: App;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
}

/** The origin of the app: its developer's description and documents, and who registered it. */
export function AboutApp({ viewContext, app, owner }: AboutAppProps): VNode {
  const { consent } = viewContext.messages;
  return (
    <p class="secondary facts">
      {app.description && <span>{interpolate(consent.appDescription, { description: app.description })}</span>}
      <span>
        <Registration viewContext={viewContext} app={app} owner={owner} />
      </span>
      {app.privacyPolicy && (
        <ExternalLink viewContext={viewContext} href={app.privacyPolicy} text={consent.privacyPolicy} />
      )}
      {app.termsOfService && (
        <ExternalLink viewContext={viewContext} href={app.termsOfService} text={consent.termsOfService} />
      )}
    </p>
  );
}

function Registration({ viewContext: { messages, locale }, app, owner }: AboutAppProps): VNode {
  const { consent } = messages;
  const date = <FormattedDate at={app.createdAt} locale={locale} />;
  if (app.isFirstParty) return <>{interpolateNodes(consent.registeredByOperator, { date })}</>;
  if (!owner) return <>{interpolateNodes(consent.registeredOn, { date })}</>;
  return <>{interpolateNodes(consent.registeredBy, { owner: formatFullName(owner), date })}</>;
}

/** Returns the host of a web address, or the whole address if it has a private-use scheme. */
function formatRedirectDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : redirectUri;
}

/** Returns the name and the username, which is unique. */
function formatFullName({ name, username }: Pick<Viewer, 'name' | 'username'>): string {
  return `${name} (${username})`;
}
