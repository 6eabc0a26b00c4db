import type { VNode } from 'preact';
import { type Account, isBlocked } from '../../accounts/account.entity.js';
import { BlockDescription } from '../../accounts/blocked.page.js';
import type { App } from '../../apps/app.entity.js';
import { isInterceptableRedirectUri } from '../../apps/redirect-uri.js';
import { AppIcon } from '../../apps/app-icon.js';
import { describeScope } from '../../scopes/scope-messages.js';
import type { Scope } from '../../scopes/scopes.js';
import {
  FormattedDate,
  formatDuration,
  FormattedDateTime,
  RelativeDay,
  RelativeTime,
} from '../../../platform/views/date-time.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { ActiveAuthorization, ConnectedApp, Removal } from './connected-apps.service.js';

interface ConnectedAppsPageProps {
  account: Account;
  apps: ConnectedApp[];
  /** The removal that just happened. */
  removal: Removal | null;
  /** Lifetime of an access token. */
  accessTokenLifetimeMinutes: number;
}

/** Renders the connected apps, each with its sign-ins and the form to remove its access. */
export function renderConnectedAppsPage(
  viewContext: ViewContext,
  { account, apps, removal, accessTokenLifetimeMinutes }: ConnectedAppsPageProps,
): View {
  const { messages, language } = viewContext;
  return {
    title: messages.connectedApps.title,
    hasMural: apps.length === 0,
    body: (
      <>
        {removal && (
          <p class="success" role="status">
            <RemovalMessage viewContext={viewContext} removal={removal} apps={apps} />
          </p>
        )}
        {isBlocked(account) && (
          <section class="card" aria-labelledby="blocked">
            <h2 id="blocked">{messages.blocked.title}</h2>
            <BlockDescription viewContext={viewContext} account={account} />
          </section>
        )}
        {apps.length === 0 ? (
          <section class="card">
            <p>{messages.connectedApps.none}</p>
            <p class="secondary">{messages.connectedApps.noneHelp}</p>
          </section>
        ) : (
          <>
            <p class="lead">{messages.connectedApps.lead}</p>
            <ul class="card row-list app-list">
              {apps.map((connectedApp) => (
                <ConnectedAppRow key={connectedApp.app.id} viewContext={viewContext} connectedApp={connectedApp} />
              ))}
            </ul>
          </>
        )}
        {(apps.length > 0 || removal) && (
          <p class="secondary">
            {interpolate(messages.connectedApps.revocationDelay, {
              time: formatDuration(accessTokenLifetimeMinutes, 'minute', language),
            })}
          </p>
        )}
      </>
    ),
  };
}

interface RemovalMessageProps {
  viewContext: ViewContext;
  removal: Removal;
  /** The connected apps after the removal. */
  apps: ConnectedApp[];
}

function RemovalMessage({ viewContext, removal: { app, removed }, apps }: RemovalMessageProps): VNode {
  const { accessRemoved, signInEnded, lastSignInEnded } = viewContext.messages.connectedApps;
  const isConnected = apps.some((other) => other.app.id === app.id && other.activeAuthorizations.length > 0);
  const message = removed === 'access' ? accessRemoved : isConnected ? signInEnded : lastSignInEnded;
  return <>{interpolate(message, { app: app.name })}</>;
}

interface ConnectedAppProps {
  viewContext: ViewContext;
  connectedApp: ConnectedApp;
}

/** One app in a row, with its details folded, and the button to remove its access. */
function ConnectedAppRow({ viewContext, connectedApp }: ConnectedAppProps): VNode {
  const { app } = connectedApp;
  return (
    <li>
      <details>
        <summary>
          <AppIcon viewContext={viewContext} app={app} />
          <span>
            <strong id={app.id}>{app.name}</strong>
            <small class="secondary">
              <AppState viewContext={viewContext} connectedApp={connectedApp} />
            </small>
          </span>
        </summary>
        <ConnectedAppDetails viewContext={viewContext} connectedApp={connectedApp} />
      </details>
      <RemovalForm viewContext={viewContext} targetId={app.id} describedBy={app.id} class="danger">
        {viewContext.messages.connectedApps.remove}
      </RemovalForm>
    </li>
  );
}

function AppState({ viewContext, connectedApp }: ConnectedAppProps): VNode {
  const { connectedApps } = viewContext.messages;
  const { app, activeAuthorizations, lastUsedOn } = connectedApp;
  if (app.disabledAt) return <>{connectedApps.disabledNow}</>;
  if (activeAuthorizations.length === 0) return <>{connectedApps.notConnected}</>;
  if (!lastUsedOn) return <>{connectedApps.notUsed}</>;
  const date = <RelativeDay at={lastUsedOn} locale={viewContext.locale} />;
  return <>{interpolateNodes(connectedApps.lastUsed, { date })}</>;
}

function ConnectedAppDetails({ viewContext, connectedApp }: ConnectedAppProps): VNode {
  const { app, consent, activeAuthorizations } = connectedApp;
  const { messages, locale } = viewContext;
  return (
    <div class="details">
      {app.description && <p>{app.description}</p>}
      <p class="secondary">
        {consent
          ? interpolateNodes(messages.connectedApps.allowedOn, {
              date: <FormattedDate at={consent.createdAt} locale={locale} />,
            })
          : messages.connectedApps.grantedByOperator}
      </p>
      {app.disabledAt && <p class="field-error">{messages.connectedApps.disabled}</p>}
      {activeAuthorizations.map((activeAuthorization) => (
        <AuthorizationDetails
          key={activeAuthorization.authorization.id}
          viewContext={viewContext}
          activeAuthorization={activeAuthorization}
          isOneOfSeveral={activeAuthorizations.length > 1}
        />
      ))}
      {activeAuthorizations.length === 0 && (
        <div class="access">
          <p>
            {mustAlwaysAsk(app)
              ? messages.connectedApps.consentAskedAgain
              : messages.connectedApps.consentWithoutAccess}
          </p>
          <ScopeList viewContext={viewContext} scopes={consent?.scopes ?? []} />
        </div>
      )}
    </div>
  );
}

interface AuthorizationDetailsProps {
  viewContext: ViewContext;
  activeAuthorization: ActiveAuthorization;
  /** Whether the app has other sign-ins, so that this one can end alone. */
  isOneOfSeveral: boolean;
}

/** The browser, dates and scopes of one sign-in, with the form to end it if there are others. */
function AuthorizationDetails({ viewContext, activeAuthorization, isOneOfSeveral }: AuthorizationDetailsProps): VNode {
  const { authorization, scopes, lastRenewedAt } = activeAuthorization;
  const { messages, locale } = viewContext;
  const { id, appId, browser, createdAt, consentedAt } = authorization;
  return (
    <div class="access">
      <div id={id}>
        {consentedAt && <h2>{browser ?? messages.sessions.unknownBrowser}</h2>}
        <dl>
          <dt>{messages.connectedApps.accessSince}</dt>
          <dd>
            <FormattedDateTime at={createdAt} locale={locale} />
          </dd>
          <dt>{messages.connectedApps.lastRenewed}</dt>
          <dd>
            <RelativeTime at={lastRenewedAt} locale={locale} />
          </dd>
        </dl>
      </div>
      <ScopeList viewContext={viewContext} scopes={scopes} />
      {isOneOfSeveral && (
        <RemovalForm viewContext={viewContext} targetId={id} describedBy={`${appId} ${id}`} class="quiet">
          {messages.connectedApps.endSignIn}
        </RemovalForm>
      )}
    </div>
  );
}

function ScopeList({ viewContext, scopes }: { viewContext: ViewContext; scopes: Scope[] }): VNode {
  const { messages, language } = viewContext;
  return (
    <>
      <h2 class="secondary">{messages.connectedApps.grantedScopes}</h2>
      <ul class="scopes">
        {scopes.map((scope) => (
          <li key={scope} class="sentence">
            {describeScope(scope, language)}
          </li>
        ))}
      </ul>
    </>
  );
}

interface RemovalFormProps {
  viewContext: ViewContext;
  /** Id of the authorization or app to remove. */
  targetId: string;
  /** Ids of the elements that describe the button to screen readers. */
  describedBy: string;
  class: 'danger' | 'quiet';
  /** The label of the button. */
  children: string;
}

function RemovalForm({ viewContext, targetId, describedBy, children, ...props }: RemovalFormProps): VNode {
  return (
    <form method="post" action={`${viewContext.basePath}/account/apps`}>
      <input type="hidden" name="what" value={targetId} />
      <button type="submit" class={props.class} aria-describedby={describedBy}>
        {children}
      </button>
    </form>
  );
}

/** Whether the consent page appears at each sign-in, whichever redirect URI the app uses. */
function mustAlwaysAsk({ clientType, redirectUris }: App): boolean {
  return clientType === 'public' && redirectUris.every(isInterceptableRedirectUri);
}
