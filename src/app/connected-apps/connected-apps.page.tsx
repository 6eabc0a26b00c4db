import type { VNode } from 'preact';
import { type Account, isBlocked } from '../../identity/accounts/account.entity.js';
import { BlockDescription } from '../../identity/accounts/blocked.page.js';
import type { Deeds } from '../../identity/app-record/app-record.service.js';
import { AppRights } from '../../identity/apps/app-facts.js';
import { AppIcon } from '../../identity/apps/app-icon.js';
import type { App } from '../../identity/apps/app.entity.js';
import type { ConnectedApp } from '../../identity/oauth/connected-apps/connected-apps.service.js';
import { type Scope, SCOPES } from '../../identity/scopes/scopes.js';
import { interpolate, interpolateCount, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { formatDuration, RelativeDay } from '../../platform/views/date-time.js';
import { Mural } from '../../platform/views/mural.js';
import { PublicAppsLink } from '../../platform/views/navigation.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { Outcome } from './outcome.service.js';

interface ConnectedAppsPageProps {
  account: Account;
  apps: ConnectedApp[];
  /** What each app did, by app. */
  deeds: Map<string, Deeds>;
  /** What just happened, and to which app. */
  done: { app: App; outcome: Outcome } | null;
  /** Lifetime of an access token. */
  accessTokenLifetimeMinutes: number;
}

/** Renders the connected apps: what each can do and did, and the form to remove its access. */
export function renderConnectedAppsPage(
  viewContext: ViewContext,
  { account, apps, deeds, done, accessTokenLifetimeMinutes }: ConnectedAppsPageProps,
): View {
  const { messages } = viewContext;
  return {
    title: messages.connectedApps.title,
    banner: apps.length === 0 ? <Mural viewContext={viewContext} /> : undefined,
    body: (
      <>
        {done && (
          <p class="success" role="status">
            {describeRemoval(
              viewContext,
              done,
              apps.find(({ app }) => app.id === done.app.id),
            )}
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
            <PublicAppsLink viewContext={viewContext} />
          </section>
        ) : (
          <>
            <p class="lead">{messages.connectedApps.lead}</p>
            <ul class="card row-list app-list">
              {apps.map((connectedApp) => (
                <ConnectedAppRow
                  key={connectedApp.app.id}
                  viewContext={viewContext}
                  connectedApp={connectedApp}
                  deeds={deeds.get(connectedApp.app.id)}
                />
              ))}
            </ul>
          </>
        )}
        {(apps.length > 0 || done) && (
          <RevocationDelay viewContext={viewContext} minutes={accessTokenLifetimeMinutes} />
        )}
      </>
    ),
  };
}

/**
 * Returns the message about a removal.
 * @param remaining the app after the removal, if it is listed
 */
export function describeRemoval(
  { messages: { connectedApps } }: ViewContext,
  { app, outcome }: { app: App; outcome: Outcome },
  remaining: ConnectedApp | undefined,
): string {
  const hasOthers = (remaining?.activeAuthorizations.length ?? 0) > 0;
  const signInEnded = hasOthers ? connectedApps.signInEnded : connectedApps.lastSignInEnded;
  return interpolate(outcome.kind === 'sign-in' ? signInEnded : connectedApps.accessRemoved, { app: app.name });
}

/** How long an app can act after its access was removed. */
export function RevocationDelay({ viewContext, minutes }: { viewContext: ViewContext; minutes: number }): VNode {
  const { messages, language } = viewContext;
  const time = formatDuration(minutes, 'minute', language);
  return <p class="secondary">{interpolate(messages.connectedApps.revocationDelay, { time })}</p>;
}

interface ConnectedAppProps {
  viewContext: ViewContext;
  connectedApp: ConnectedApp;
  deeds: Deeds | undefined;
}

function ConnectedAppRow({ viewContext, connectedApp, deeds }: ConnectedAppProps): VNode {
  const { app } = connectedApp;
  const { messages, basePath } = viewContext;
  return (
    <li>
      <AppIcon viewContext={viewContext} app={app} />
      <strong id={app.id}>{app.name}</strong>
      <form method="post" action={`${basePath}/account/apps`}>
        <input type="hidden" name="what" value={app.id} />
        <button type="submit" class="quiet" aria-describedby={app.id}>
          {messages.connectedApps.remove}
        </button>
      </form>
      <div>
        <AppRights viewContext={viewContext} scopes={listScopes(connectedApp)} />
        <p class="secondary">
          <AppState viewContext={viewContext} connectedApp={connectedApp} deeds={deeds} />
          {' · '}
          <a href={`${basePath}/account/apps/${app.id}`} aria-describedby={app.id}>
            {messages.connectedApps.whatItDid}
          </a>
        </p>
      </div>
    </li>
  );
}

const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Returns the scopes that an app has now, or has when it connects again. */
export function listScopes({ consent, activeAuthorizations }: ConnectedApp): Scope[] {
  const active = activeAuthorizations.flatMap(({ scopes }) => scopes);
  const scopes = new Set(active.length > 0 ? active : consent?.scopes);
  return SCOPE_NAMES.filter((scope) => scopes.has(scope));
}

function AppState({ viewContext, connectedApp, deeds }: ConnectedAppProps): VNode {
  const { connectedApps } = viewContext.messages;
  const { app, activeAuthorizations, lastUsedOn } = connectedApp;
  const states = [
    app.disabledAt && connectedApps.disabledNow,
    activeAuthorizations.length === 0 && connectedApps.notConnected,
  ];
  return (
    <>
      {states.filter(Boolean).map((state) => (
        <>{state} · </>
      ))}
      {hasDeeds(deeds) ? <DeedList viewContext={viewContext} deeds={deeds} /> : describeUse(viewContext, lastUsedOn)}
    </>
  );
}

/** Whether there is something to list. An app that only withdrew suggestions has nothing. */
function hasDeeds(deeds: Deeds | undefined): deeds is Deeds {
  return deeds !== undefined && deeds.suggestions + deeds.decisions + deeds.collections > 0;
}

function describeUse({ messages: { connectedApps }, locale }: ViewContext, lastUsedOn: Date | null): VNode {
  if (!lastUsedOn) return <>{connectedApps.notUsed}</>;
  return <>{interpolateNodes(connectedApps.lastUsed, { date: <RelativeDay at={lastUsedOn} locale={locale} /> })}</>;
}

/** What an app did, such as `12 suggestions, 3 collections changed; last yesterday`. */
function DeedList({ viewContext, deeds }: { viewContext: ViewContext; deeds: Deeds }): VNode {
  const { messages, language, locale } = viewContext;
  const texts = messages.connectedApps;
  const { suggestions, decisions, collections, lastAt } = deeds;
  const counts = [
    { count: suggestions, one: texts.suggestionsOne, other: texts.suggestionsOther },
    { count: decisions, one: texts.decisionsOne, other: texts.decisionsOther },
    { count: collections, one: texts.collectionsOne, other: texts.collectionsOther },
  ];
  const list = counts
    .filter(({ count }) => count > 0)
    .map(({ count, one, other }) => interpolateCount(count, one, other, language))
    .join(', ');
  const parts = { deeds: list, date: <RelativeDay at={lastAt} locale={locale} /> };
  return <>{interpolateNodes<VNode | string>(texts.deeds, parts)}</>;
}
