import type { VNode } from 'preact';
import { type Account, isBlocked } from '../../identity/accounts/account.entity.js';
import { isInterceptableRedirectUri } from '../../identity/apps/redirect-uri.js';
import type { App } from '../../identity/apps/app.entity.js';
import type { ActiveAuthorization, ConnectedApp } from '../../identity/oauth/connected-apps/connected-apps.service.js';
import { describeScope } from '../../identity/scopes/scope-messages.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { interpolate, interpolateCount, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { FormattedDate, FormattedDateTime, RelativeTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { ActionForm } from './action-form.js';
import { AppRecord, LineList } from './app-record-list.js';
import { describeRemoval, listScopes, RevocationDelay } from './connected-apps.page.js';
import type { Outcome } from './outcome.service.js';
import type { RecordLine } from './record-view.service.js';

interface ConnectedAppPageProps {
  account: Account;
  connectedApp: ConnectedApp;
  lines: Page<RecordLine>;
  /** Lines that "Remove access and undo" left as they are, if it just ran. */
  left: RecordLine[];
  openSuggestions: number;
  /** Whether the app changed collections in the last 30 days, and that was not undone. */
  hasRecentChanges: boolean;
  outcome: Outcome | null;
  /** `APP_RECORD_RETENTION` in days. */
  retentionDays: number;
  /** Lifetime of an access token. */
  accessTokenLifetimeMinutes: number;
}

/** Renders what one app can do and what it did, with the forms to undo and to end it. */
export function renderConnectedAppPage(viewContext: ViewContext, props: ConnectedAppPageProps): View {
  const { messages, basePath } = viewContext;
  const { account, connectedApp, lines, left, outcome, accessTokenLifetimeMinutes } = props;
  const { app, activeAuthorizations } = connectedApp;
  const canUndo = !isBlocked(account);
  return {
    title: app.name,
    body: (
      <>
        <p>
          <a href={`${basePath}/account/apps`}>{messages.connectedApps.title}</a>
        </p>
        {outcome && (
          <p class="success" role="status">
            {describeOutcome(viewContext, app, outcome, connectedApp)}
          </p>
        )}
        {left.length > 0 && (
          <section class="card" aria-labelledby="left">
            <h2 id="left">{messages.appRecord.leftTitle}</h2>
            <LineList viewContext={viewContext} appId={app.id} lines={left} canUndo={false} />
          </section>
        )}
        <Permissions viewContext={viewContext} connectedApp={connectedApp} />
        {activeAuthorizations.length > 0 && (
          <section class="card" aria-labelledby="browsers">
            <h2 id="browsers">{messages.connectedApps.browsers}</h2>
            <ul class="row-list">
              {activeAuthorizations.map((activeAuthorization) => (
                <SignIn
                  key={activeAuthorization.authorization.id}
                  viewContext={viewContext}
                  activeAuthorization={activeAuthorization}
                  isOneOfSeveral={activeAuthorizations.length > 1}
                />
              ))}
            </ul>
          </section>
        )}
        <AppRecord
          viewContext={viewContext}
          appId={app.id}
          lines={lines}
          retentionDays={props.retentionDays}
          canUndo={canUndo}
        />
        <Actions viewContext={viewContext} {...props} canUndo={canUndo} />
        <RevocationDelay viewContext={viewContext} minutes={accessTokenLifetimeMinutes} />
      </>
    ),
  };
}

function describeOutcome(viewContext: ViewContext, app: App, outcome: Outcome, connectedApp: ConnectedApp): string {
  const { messages, language } = viewContext;
  const texts = messages.appRecord;
  if (outcome.kind === 'undone' || outcome.kind === 'changed' || outcome.kind === 'limit') return texts[outcome.kind];
  if (outcome.kind === 'withdrawn')
    return interpolateCount(outcome.count, texts.withdrawnOne, texts.withdrawnOther, language);
  const removal = describeRemoval(viewContext, { app, outcome }, connectedApp);
  if (outcome.kind !== 'undone-all') return removal;
  const undone = interpolate(texts.undoneAll, { undone: outcome.undone });
  const left = outcome.left > 0 ? interpolate(texts.left, { left: outcome.left }) : '';
  return [undone, left, removal].filter(Boolean).join(' ');
}

interface ConnectedAppProps {
  viewContext: ViewContext;
  connectedApp: ConnectedApp;
}

/** What the app can do, with the day on which each permission was allowed. */
function Permissions({ viewContext, connectedApp }: ConnectedAppProps): VNode {
  const { messages, language, locale } = viewContext;
  const { app, consent } = connectedApp;
  const texts = messages.connectedApps;
  return (
    <section class="card" aria-labelledby="permissions">
      <h2 id="permissions">{texts.grantedScopes}</h2>
      {app.description && <p>{app.description}</p>}
      {app.disabledAt && <p class="field-error">{texts.disabled}</p>}
      <ConnectionState viewContext={viewContext} connectedApp={connectedApp} />
      <ul class="scopes">
        {listScopes(connectedApp).map((scope) => (
          <li key={scope}>
            <span>{describeScope(scope, language, app.name)}</span>
            {consent?.scopes.includes(scope) && (
              <small class="secondary">
                {interpolateNodes(texts.allowedOn, {
                  date: <FormattedDate at={new Date(consent.allowedAt[scope] ?? consent.createdAt)} locale={locale} />,
                })}
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ConnectionState({ viewContext, connectedApp }: ConnectedAppProps): VNode | null {
  const { connectedApps } = viewContext.messages;
  const { app, consent, activeAuthorizations } = connectedApp;
  if (activeAuthorizations.length > 0)
    return consent ? null : <p class="secondary">{connectedApps.grantedByOperator}</p>;
  if (!consent) return <p>{connectedApps.notConnected}</p>;
  return <p>{mustAlwaysAsk(app) ? connectedApps.consentAskedAgain : connectedApps.consentWithoutAccess}</p>;
}

/** Whether the service asks each time: another app could receive the code of a public client. */
function mustAlwaysAsk({ clientType, redirectUris }: App): boolean {
  return clientType === 'public' && redirectUris.some(isInterceptableRedirectUri);
}

interface SignInProps {
  viewContext: ViewContext;
  activeAuthorization: ActiveAuthorization;
  /** Whether the app has other sign-ins, so that this one can end alone. */
  isOneOfSeveral: boolean;
}

function SignIn({ viewContext, activeAuthorization, isOneOfSeveral }: SignInProps): VNode {
  const { authorization, lastRenewedAt } = activeAuthorization;
  const { messages, locale } = viewContext;
  const { id, appId, browser, createdAt } = authorization;
  return (
    <li>
      <div id={id}>
        <strong>{browser ?? messages.sessions.unknownBrowser}</strong>
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
      {isOneOfSeveral && (
        <ActionForm viewContext={viewContext} appId={appId} what={id} describedBy={id} class="quiet">
          {messages.connectedApps.endSignIn}
        </ActionForm>
      )}
    </li>
  );
}

/** The forms about everything that the app did and can do. */
function Actions({
  viewContext,
  connectedApp: { app, consent, activeAuthorizations },
  openSuggestions,
  hasRecentChanges,
  canUndo,
}: ConnectedAppPageProps & { viewContext: ViewContext; canUndo: boolean }): VNode {
  const { messages, language } = viewContext;
  const { withdrawOne, withdrawOther, removeAndUndo, removeAndUndoHelp } = messages.appRecord;
  const hasAccess = consent !== null || activeAuthorizations.length > 0;
  const canUndoAll = canUndo && (hasRecentChanges || openSuggestions > 0);
  const form = { viewContext, appId: app.id };
  return (
    <>
      {canUndoAll && <p class="secondary">{removeAndUndoHelp}</p>}
      <div class="actions">
        {canUndo && openSuggestions > 0 && (
          <ActionForm {...form} what="suggestions" class="quiet">
            {interpolateCount(openSuggestions, withdrawOne, withdrawOther, language)}
          </ActionForm>
        )}
        {hasAccess && (
          <ActionForm {...form} what="access" class="danger">
            {messages.connectedApps.remove}
          </ActionForm>
        )}
        {canUndoAll && (
          <ActionForm {...form} what="access-and-changes" class="danger">
            {removeAndUndo}
          </ActionForm>
        )}
      </div>
    </>
  );
}
