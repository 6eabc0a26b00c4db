import type { VNode } from 'preact';
import { Day, Moment } from '../../views/day.js';
import { parts } from '../../words/fill.js';
import { Alert } from '../../views/field.js';
import type { FailedCall } from '../../failed-calls/failed-call.entity.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import type { App } from '../app.entity.js';
import type { GivenSettings } from '../app-settings.js';
import type { AppWithSecret } from '../apps.service.js';
import { FailedCallsList } from './failed-calls.js';
import { SettingsForm } from './settings-form.js';

/** Where the pages of this folder are. */
export function developerPath({ base }: Pick<Ui, 'base'>, ...more: string[]): string {
  return [`${base}/developer/apps`, ...more].join('/');
}

/** All apps of a person. */
export function appsPage(ui: Ui, apps: App[]): View {
  const { developer } = ui.messages;
  return {
    title: developer.title,
    body: (
      <>
        <p class="lead">{apps.length > 0 ? developer.lead : developer.none}</p>
        {apps.map((app) => (
          <section class="card" key={app.id}>
            <h2>
              <a href={developerPath(ui, app.id)}>{app.name}</a> <Status ui={ui} app={app} />
            </h2>
            {app.description && <p>{app.description}</p>}
            <p class="facts">
              <code>{app.id}</code>
              <Day at={app.createdAt} language={ui.language} />
            </p>
          </section>
        ))}
        <p>
          <a href={developerPath(ui, 'new')} class="button">
            {developer.register}
          </a>
        </p>
      </>
    ),
  };
}

const NEW_APP: GivenSettings = { name: '', redirectUris: [], scopes: ['openid', 'profile'], idTokenAlg: 'RS256' };

/** The form for a new app. */
export function newAppPage(ui: Ui, settings = NEW_APP, problems: Record<string, string> = {}): View {
  const { developer } = ui.messages;
  const isRefused = Object.keys(problems).length > 0;
  return {
    title: developer.register,
    status: isRefused ? 422 : 200,
    body: (
      <>
        <Refused ui={ui} refused={isRefused} />
        <SettingsForm {...{ ui, settings, problems }} action={developerPath(ui)} button={developer.registerButton} />
        <Back ui={ui} />
      </>
    ),
  };
}

/** An app with its secret, this once. */
export function secretPage(ui: Ui, { app, clientSecret }: AppWithSecret, isNew: boolean): View {
  const { developer } = ui.messages;
  return {
    title: app.name,
    body: (
      <>
        {isNew && (
          <p class="done" role="status">
            {developer.registered}
          </p>
        )}
        <section class="card">
          <h2>{developer.clientId}</h2>
          <p class="secret">{app.id}</p>
          <h2>{developer.secret}</h2>
          <p class="secret">{clientSecret}</p>
          <p>
            <strong>{developer.secretOnce}</strong>
          </p>
        </section>
        <p>
          <a href={developerPath(ui, app.id)}>{developer.edit}</a>
        </p>
        <Back ui={ui} />
      </>
    ),
  };
}

interface AppPageProps {
  app: App;
  failedCalls: FailedCall[];
  /** What its form holds: what is stored, unless that was just refused. */
  settings?: GivenSettings;
  problems?: Record<string, string>;
  isSaved?: boolean;
}

/** One app: its id and settings, a new secret, and disabling it. */
export function appPage(
  ui: Ui,
  { app, failedCalls, settings = app, problems = {}, isSaved = false }: AppPageProps,
): View {
  const { developer } = ui.messages;
  const isRefused = Object.keys(problems).length > 0;
  return {
    title: app.name,
    status: isRefused ? 422 : 200,
    body: (
      <>
        {isSaved && (
          <p class="done" role="status">
            {developer.saved}
          </p>
        )}
        <Refused ui={ui} refused={isRefused} />
        {app.disabledAt && <p class="alert">{disabledSentence(ui, app)}</p>}
        <section class="card">
          <h2>{developer.clientId}</h2>
          <p class="secret">{app.id}</p>
          <p class="soft">{developer.secretHint}</p>
          <OldSecret ui={ui} app={app} />
          <Action ui={ui} app={app} action="secret" label={developer.newSecret} />
        </section>
        <SettingsForm {...{ ui, settings, problems }} action={developerPath(ui, app.id)} button={developer.save} />
        <FailedCallsList ui={ui} calls={failedCalls} />
        <Availability ui={ui} app={app} />
        <Back ui={ui} />
      </>
    ),
  };
}

/** Of a secret that was replaced and still works: until when, and whether anybody uses it. */
function OldSecret({ ui: { messages, language }, app }: { ui: Ui; app: App }): VNode | null {
  const { oldSecretUntil: until, oldSecretUsedAt: usedAt } = app;
  if (!until || until <= new Date()) return null;
  return (
    <p>
      {parts(messages.developer.oldSecret, { date: <Moment at={until} language={language} /> })}{' '}
      {usedAt
        ? parts(messages.developer.oldSecretUsed, { date: <Moment at={usedAt} language={language} /> })
        : messages.developer.oldSecretUnused}
    </p>
  );
}

function disabledSentence({ messages }: Ui, { disabledBy }: App): string {
  return disabledBy === 'operator' ? messages.developer.disabledByOperator : messages.apps.disabled;
}

/** What the operator disabled stays so, and there is nothing to press. */
function Availability({ ui, app }: { ui: Ui; app: App }): VNode | null {
  const { developer } = ui.messages;
  if (app.disabledBy === 'operator') return null;
  return (
    <section class="card">
      <p class="soft">{developer.disableHint}</p>
      {app.disabledAt ? (
        <Action ui={ui} app={app} action="enable" label={developer.enable} />
      ) : (
        <Action ui={ui} app={app} action="disable" label={developer.disable} danger />
      )}
    </section>
  );
}

interface ActionProps {
  ui: Ui;
  app: App;
  action: 'secret' | 'enable' | 'disable';
  label: string;
  danger?: boolean;
}

function Action({ ui, app, action, label, danger = false }: ActionProps): VNode {
  return (
    <form method="post" action={developerPath(ui, app.id, action)}>
      <button type="submit" class={danger ? 'danger' : 'quiet'}>
        {label}
      </button>
    </form>
  );
}

function Status({ ui, app }: { ui: Ui; app: App }): VNode | null {
  return app.disabledAt ? <span class="tag">{ui.messages.developer.disabled}</span> : null;
}

function Refused({ ui, refused }: { ui: Ui; refused: boolean }): VNode | null {
  return refused ? <Alert>{ui.messages.problems.title}</Alert> : null;
}

function Back({ ui }: { ui: Ui }): VNode {
  return (
    <p>
      <a href={developerPath(ui)}>{ui.messages.developer.back}</a>
    </p>
  );
}
