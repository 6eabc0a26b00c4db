import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import type { App } from '../../apps/app.entity.js';
import type { Scope } from '../../scopes/catalogue.js';
import { Day, lengthOf, Moment } from '../../views/day.js';
import { Alert } from '../../views/field.js';
import { fill, parts } from '../../words/fill.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import type { ConnectedApp, LiveAccess } from './connected-apps.service.js';

interface ConnectedAppsProps {
  account: Account;
  apps: ConnectedApp[];
  /** The app of which an access was just removed. */
  removed: App | null;
  /** How long an access token lives. */
  minutes: number;
}

/** What a person gave to apps, each with a way to take it back. */
export function connectedAppsPage(ui: Ui, { account, apps, removed, minutes }: ConnectedAppsProps): View {
  const { messages, language } = ui;
  return {
    title: messages.apps.title,
    body: (
      <>
        {removed && (
          <p class="done" role="status">
            {fill(messages.apps.removed, { app: removed.name })}
          </p>
        )}
        {account.blockedAt && <Alert>{fill(messages.signIn.blocked, { reason: account.blockedReason ?? '' })}</Alert>}
        {apps.length === 0 ? (
          <section class="card">
            <p>{messages.apps.none}</p>
            <p class="soft">{messages.apps.noneHelp}</p>
          </section>
        ) : (
          <>
            <p class="lead">{messages.apps.lead}</p>
            {apps.map((connected) => (
              <Connected key={connected.app.id} ui={ui} connected={connected} />
            ))}
          </>
        )}
        {(apps.length > 0 || removed) && (
          <p class="soft">{fill(messages.apps.anHour, { time: lengthOf(minutes, 'minute', language) })}</p>
        )}
      </>
    ),
  };
}

function Connected({ ui, connected: { app, consent, accesses } }: { ui: Ui; connected: ConnectedApp }): VNode {
  const { messages, language } = ui;
  return (
    <section class="card" aria-labelledby={app.id}>
      <h2 id={app.id}>{app.name}</h2>
      {app.description && <p>{app.description}</p>}
      <p class="soft">
        {consent
          ? parts(messages.apps.allowedOn, { date: <Day at={consent.createdAt} language={language} /> })
          : messages.apps.byOperator}
      </p>
      {app.disabledAt && <p class="problem">{messages.apps.disabled}</p>}
      {accesses.map((access) => (
        <Access key={access.authorization.id} ui={ui} access={access} />
      ))}
      {accesses.length === 0 && (
        <div class="access">
          <p>{messages.apps.dormant}</p>
          <Scopes ui={ui} scopes={consent?.scopes ?? []} />
          <RemoveAccess ui={ui} what={app.id} describedBy={app.id} />
        </div>
      )}
    </section>
  );
}

/** What an app may do from one device. */
function Access({ ui, access: { authorization, lastUsed } }: { ui: Ui; access: LiveAccess }): VNode {
  const { messages, language } = ui;
  const { id, scopes, createdAt, consentedAt } = authorization;
  return (
    <div class="access">
      <dl id={id}>
        <dt>{messages.apps.since}</dt>
        <dd>
          <Moment at={createdAt} language={language} />
        </dd>
        <dt>{messages.apps.lastUsed}</dt>
        <dd>
          <Moment at={lastUsed} language={language} />
        </dd>
        {consentedAt && (
          <>
            <dt>{messages.apps.fromConsent}</dt>
            <dd>
              <Moment at={consentedAt} language={language} />
            </dd>
          </>
        )}
      </dl>
      <Scopes ui={ui} scopes={scopes} />
      <RemoveAccess ui={ui} what={id} describedBy={`${authorization.appId} ${id}`} />
    </div>
  );
}

function Scopes({ ui: { messages }, scopes }: { ui: Ui; scopes: Scope[] }): VNode {
  return (
    <>
      <h3 class="soft">{messages.apps.may}</h3>
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

interface RemoveAccessProps {
  ui: Ui;
  /** The id of what is removed: an authorization, or an app. */
  what: string;
  /** Ids of what says whose access it is, for those who hear the page. */
  describedBy: string;
}

function RemoveAccess({ ui: { messages, base }, what, describedBy }: RemoveAccessProps): VNode {
  return (
    <form method="post" action={`${base}/account/apps`}>
      <input type="hidden" name="what" value={what} />
      <button type="submit" class="danger" aria-describedby={describedBy}>
        {messages.apps.remove}
      </button>
    </form>
  );
}
