import type { VNode } from 'preact';
import { FormattedDate, FormattedDateTime } from '../../../platform/views/date-time.js';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { ErrorAlert } from '../../../platform/views/form-field.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';
import type { AppWithSecret } from '../new-app.js';
import { FailedCallsList } from './failed-calls-list.js';
import { AppSettingsForm } from './app-settings-form.js';

/** Where the pages of this folder are. */
export function buildDeveloperAppsPath({ basePath }: Pick<ViewContext, 'basePath'>, ...more: string[]): string {
  return [`${basePath}/developer/apps`, ...more].join('/');
}

/** All apps of a person. */
export function renderDeveloperAppsPage(ui: ViewContext, apps: App[]): View {
  const { developer } = ui.messages;
  return {
    title: developer.title,
    body: (
      <>
        <p class="lead">{apps.length > 0 ? developer.lead : developer.none}</p>
        {apps.map((app) => (
          <section class="card" key={app.id}>
            <h2>
              <a href={buildDeveloperAppsPath(ui, app.id)}>{app.name}</a> <DisabledTag ui={ui} app={app} />
            </h2>
            {app.description && <p>{app.description}</p>}
            <p class="facts">
              <code>{app.id}</code>
              <FormattedDate at={app.createdAt} language={ui.language} />
            </p>
          </section>
        ))}
        <p>
          <a href={buildDeveloperAppsPath(ui, 'new')} class="button">
            {developer.register}
          </a>
        </p>
      </>
    ),
  };
}

const DEFAULT_APP_SETTINGS: AppSettingsInput = {
  name: '',
  redirectUris: [],
  scopes: ['openid', 'profile'],
  idTokenAlg: 'RS256',
};

/** The form for a new app. */
export function renderNewAppPage(
  ui: ViewContext,
  settings = DEFAULT_APP_SETTINGS,
  problems: Record<string, string> = {},
): View {
  const { developer } = ui.messages;
  const isRefused = Object.keys(problems).length > 0;
  return {
    title: developer.register,
    status: isRefused ? 422 : 200,
    body: (
      <>
        <ValidationAlert ui={ui} refused={isRefused} />
        <AppSettingsForm
          {...{ viewContext: ui, settings, fieldErrors: problems }}
          actionUrl={buildDeveloperAppsPath(ui)}
          submitLabel={developer.registerButton}
        />
        <BackLink ui={ui} />
      </>
    ),
  };
}

/** An app with its secret, this once. */
export function renderClientSecretPage(ui: ViewContext, { app, clientSecret }: AppWithSecret, isNew: boolean): View {
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
            <strong>{developer.secretShownOnce}</strong>
          </p>
        </section>
        <p>
          <a href={buildDeveloperAppsPath(ui, app.id)}>{developer.edit}</a>
        </p>
        <BackLink ui={ui} />
      </>
    ),
  };
}

interface AppPageProps {
  app: App;
  failedCalls: FailedCall[];
  /** What its form holds: what is stored, unless that was just refused. */
  settings?: AppSettingsInput;
  fieldErrors?: Record<string, string>;
  isSaved?: boolean;
}

/** One app: its id and settings, a new secret, and disabling it. */
export function renderDeveloperAppPage(
  ui: ViewContext,
  { app, failedCalls, settings = app, fieldErrors = {}, isSaved = false }: AppPageProps,
): View {
  const { developer } = ui.messages;
  const isRefused = Object.keys(fieldErrors).length > 0;
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
        <ValidationAlert ui={ui} refused={isRefused} />
        {app.disabledAt && <p class="alert">{getDisabledMessage(ui, app)}</p>}
        <section class="card">
          <h2>{developer.clientId}</h2>
          <p class="secret">{app.id}</p>
          <p class="soft">{developer.secretHint}</p>
          <PreviousSecretNotice ui={ui} app={app} />
          <ActionForm viewContext={ui} app={app} action="secret" label={developer.newSecret} />
        </section>
        <AppSettingsForm
          {...{ viewContext: ui, settings, fieldErrors }}
          actionUrl={buildDeveloperAppsPath(ui, app.id)}
          submitLabel={developer.save}
        />
        <FailedCallsList ui={ui} calls={failedCalls} />
        <AvailabilitySection ui={ui} app={app} />
        <BackLink ui={ui} />
      </>
    ),
  };
}

/** Of a secret that was replaced and still works: until when, and whether anybody uses it. */
function PreviousSecretNotice({ ui: { messages, language }, app }: { ui: ViewContext; app: App }): VNode | null {
  const { previousSecretExpiresAt: until, previousSecretLastUsedAt: usedAt } = app;
  if (!until || until <= new Date()) return null;
  return (
    <p>
      {interpolateNodes(messages.developer.previousSecret, {
        date: <FormattedDateTime at={until} language={language} />,
      })}{' '}
      {usedAt
        ? interpolateNodes(messages.developer.previousSecretLastUsed, {
            date: <FormattedDateTime at={usedAt} language={language} />,
          })
        : messages.developer.previousSecretUnused}
    </p>
  );
}

function getDisabledMessage({ messages }: ViewContext, { disabledBy }: App): string {
  return disabledBy === 'operator' ? messages.developer.disabledByOperator : messages.connectedApps.disabled;
}

/** What the operator disabled stays so, and there is nothing to press. */
function AvailabilitySection({ ui, app }: { ui: ViewContext; app: App }): VNode | null {
  const { developer } = ui.messages;
  if (app.disabledBy === 'operator') return null;
  return (
    <section class="card">
      <p class="soft">{developer.disableHint}</p>
      {app.disabledAt ? (
        <ActionForm viewContext={ui} app={app} action="enable" label={developer.enable} />
      ) : (
        <ActionForm viewContext={ui} app={app} action="disable" label={developer.disable} danger />
      )}
    </section>
  );
}

interface ActionFormProps {
  viewContext: ViewContext;
  app: App;
  action: 'secret' | 'enable' | 'disable';
  label: string;
  danger?: boolean;
}

function ActionForm({ viewContext, app, action, label, danger = false }: ActionFormProps): VNode {
  return (
    <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, action)}>
      <button type="submit" class={danger ? 'danger' : 'quiet'}>
        {label}
      </button>
    </form>
  );
}

function DisabledTag({ ui, app }: { ui: ViewContext; app: App }): VNode | null {
  return app.disabledAt ? <span class="tag">{ui.messages.developer.disabled}</span> : null;
}

function ValidationAlert({ ui, refused }: { ui: ViewContext; refused: boolean }): VNode | null {
  return refused ? <ErrorAlert>{ui.messages.fieldErrors.title}</ErrorAlert> : null;
}

function BackLink({ ui }: { ui: ViewContext }): VNode {
  return (
    <p>
      <a href={buildDeveloperAppsPath(ui)}>{ui.messages.developer.back}</a>
    </p>
  );
}
