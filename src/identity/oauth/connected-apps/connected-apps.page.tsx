import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import type { App } from '../../clients/app.entity.js';
import type { Scope } from '../../scopes/scopes.js';
import { FormattedDate, formatDuration, FormattedDateTime } from '../../../platform/views/date-time.js';
import { ErrorAlert } from '../../../platform/views/form-field.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { ConnectedApp, ActiveAuthorization } from './connected-apps.service.js';

interface ConnectedAppsPageProps {
  account: Account;
  apps: ConnectedApp[];
  /** The app of which an access was just removed. */
  removedApp: App | null;
  /** How long an access token lives. */
  accessTokenLifetimeMinutes: number;
}

/** What a person gave to apps, each with a way to take it back. */
export function renderConnectedAppsPage(
  ui: ViewContext,
  { account, apps, removedApp, accessTokenLifetimeMinutes }: ConnectedAppsPageProps,
): View {
  const { messages, language } = ui;
  return {
    title: messages.connectedApps.title,
    body: (
      <>
        {removedApp && (
          <p class="done" role="status">
            {interpolate(messages.connectedApps.removed, { app: removedApp.name })}
          </p>
        )}
        {account.blockedAt && (
          <ErrorAlert>{interpolate(messages.signIn.blocked, { reason: account.blockedReason ?? '' })}</ErrorAlert>
        )}
        {apps.length === 0 ? (
          <section class="card">
            <p>{messages.connectedApps.none}</p>
            <p class="soft">{messages.connectedApps.noneHelp}</p>
          </section>
        ) : (
          <>
            <p class="lead">{messages.connectedApps.lead}</p>
            {apps.map((connected) => (
              <ConnectedAppCard key={connected.app.id} ui={ui} connected={connected} />
            ))}
          </>
        )}
        {(apps.length > 0 || removedApp) && (
          <p class="soft">
            {interpolate(messages.connectedApps.revocationDelay, {
              time: formatDuration(accessTokenLifetimeMinutes, 'minute', language),
            })}
          </p>
        )}
      </>
    ),
  };
}

function ConnectedAppCard({
  ui,
  connected: { app, consent, activeAuthorizations },
}: {
  ui: ViewContext;
  connected: ConnectedApp;
}): VNode {
  const { messages, language } = ui;
  return (
    <section class="card" aria-labelledby={app.id}>
      <h2 id={app.id}>{app.name}</h2>
      {app.description && <p>{app.description}</p>}
      <p class="soft">
        {consent
          ? interpolateNodes(messages.connectedApps.allowedOn, {
              date: <FormattedDate at={consent.createdAt} language={language} />,
            })
          : messages.connectedApps.grantedByOperator}
      </p>
      {app.disabledAt && <p class="problem">{messages.connectedApps.disabled}</p>}
      {activeAuthorizations.map((access) => (
        <AuthorizationDetails key={access.authorization.id} ui={ui} access={access} />
      ))}
      {activeAuthorizations.length === 0 && (
        <div class="access">
          <p>{messages.connectedApps.consentWithoutAccess}</p>
          <ScopeList ui={ui} scopes={consent?.scopes ?? []} />
          <RemoveAccessForm ui={ui} targetId={app.id} describedBy={app.id} />
        </div>
      )}
    </section>
  );
}

/** What an app may do from one device. */
function AuthorizationDetails({
  ui,
  access: { authorization, lastUsedAt },
}: {
  ui: ViewContext;
  access: ActiveAuthorization;
}): VNode {
  const { messages, language } = ui;
  const { id, scopes, createdAt, consentedAt } = authorization;
  return (
    <div class="access">
      <dl id={id}>
        <dt>{messages.connectedApps.accessSince}</dt>
        <dd>
          <FormattedDateTime at={createdAt} language={language} />
        </dd>
        <dt>{messages.connectedApps.lastUsed}</dt>
        <dd>
          <FormattedDateTime at={lastUsedAt} language={language} />
        </dd>
        {consentedAt && (
          <>
            <dt>{messages.connectedApps.consentGivenOn}</dt>
            <dd>
              <FormattedDateTime at={consentedAt} language={language} />
            </dd>
          </>
        )}
      </dl>
      <ScopeList ui={ui} scopes={scopes} />
      <RemoveAccessForm ui={ui} targetId={id} describedBy={`${authorization.appId} ${id}`} />
    </div>
  );
}

function ScopeList({ ui: { messages }, scopes }: { ui: ViewContext; scopes: Scope[] }): VNode {
  return (
    <>
      <h3 class="soft">{messages.connectedApps.grantedScopes}</h3>
      <ul class="scopes">
        {scopes.map((scope) => (
          <li key={scope} class="sentence">
            {messages.scopes[scope]}
          </li>
        ))}
      </ul>
    </>
  );
}

interface RemoveAccessFormProps {
  ui: ViewContext;
  /** The id of what is removed: an authorization, or an app. */
  targetId: string;
  /** Ids of what says whose access it is, for those who hear the page. */
  describedBy: string;
}

function RemoveAccessForm({ ui: { messages, basePath }, targetId, describedBy }: RemoveAccessFormProps): VNode {
  return (
    <form method="post" action={`${basePath}/account/apps`}>
      <input type="hidden" name="what" value={targetId} />
      <button type="submit" class="danger" aria-describedby={describedBy}>
        {messages.connectedApps.remove}
      </button>
    </form>
  );
}
