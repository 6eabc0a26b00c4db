import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDateTime } from '../../../platform/views/date-time.js';
import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import { AppSettingsForm, type FormSettings } from './app-settings-form.js';
import type { OwnApp } from './developer-apps.service.js';
import { BackLink, buildDeveloperAppsPath, Copyable, NextSteps, SuccessMessage } from './developer-components.js';
import { FailedCallsSection } from './failed-calls-list.js';
import { AppIcon } from '../app-icon.js';

interface DeveloperAppPageProps extends OwnApp {
  /** Values of the form: the rejected input, or the stored settings. */
  settings?: FormSettings;
  fieldErrors?: Record<string, string>;
  isSaved?: boolean;
}

interface AppProps {
  viewContext: ViewContext;
  app: App;
}

/** Renders an app with its settings, failed calls and the actions of its owner. */
export function renderDeveloperAppPage(
  viewContext: ViewContext,
  { app, failedCalls, asksPassword, settings = app, fieldErrors = {}, isSaved = false }: DeveloperAppPageProps,
): View {
  const { developer } = viewContext.messages;
  const isInvalid = Object.keys(fieldErrors).length > 0;
  return {
    title: app.name,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        {isSaved && <SuccessMessage>{developer.saved}</SuccessMessage>}
        <ErrorSummary title={viewContext.messages.fieldErrors.title} fieldErrors={fieldErrors} />
        {app.disabledAt && <p class="alert">{getDisabledMessage(viewContext, app)}</p>}
        <SectionLinks viewContext={viewContext} />
        <FailedCallsSection viewContext={viewContext} appId={app.id} failedCalls={failedCalls} />
        <section class="card" id="credentials">
          <Copyable id="client-id" title={developer.clientId}>
            <p class="secret">{app.id}</p>
          </Copyable>
          <SecretActions viewContext={viewContext} app={app} />
        </section>
        <h2 id="settings" class="visually-hidden">
          {developer.edit}
        </h2>
        <AppSettingsForm
          {...{ viewContext, settings, fieldErrors, asksPassword }}
          clientType={app.clientType}
          actionUrl={buildDeveloperAppsPath(viewContext, app.id)}
          submitLabel={developer.save}
          isOpen
        />
        <AppIconForm viewContext={viewContext} app={app} fieldErrors={fieldErrors} />
        <NextSteps viewContext={viewContext} app={app} />
        <AvailabilitySection viewContext={viewContext} app={app} />
        <section class="card" id="delete">
          <p class="secondary">{developer.deletion.hint}</p>
          <p>
            <a class="button quiet" href={buildDeveloperAppsPath(viewContext, app.id, 'delete')}>
              {developer.deletion.button}
            </a>
          </p>
        </section>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

/** Links to the sections of the page. */
function SectionLinks({ viewContext: { messages } }: { viewContext: ViewContext }): VNode {
  const { developer } = messages;
  const sections = {
    'failed-calls': developer.failedCalls.title,
    credentials: developer.clientId,
    settings: developer.edit,
    icon: developer.icon,
    'next-steps': developer.nextSteps.title,
    delete: developer.deletion.button,
  };
  return (
    <nav class="sections" aria-label={developer.sections}>
      {Object.entries(sections).map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function getDisabledMessage({ messages }: ViewContext, { disabledBy }: App): string {
  return disabledBy === 'operator' ? messages.developer.disabledByOperator : messages.connectedApps.disabled;
}

/** The link to replace the client secret. A public client has none. */
function SecretActions({ viewContext, app }: AppProps): VNode {
  const { developer } = viewContext.messages;
  if (app.clientType === 'public') return <p class="secondary">{developer.noSecret}</p>;
  return (
    <>
      <p class="secondary">{developer.secretHint}</p>
      <PreviousSecretNotice viewContext={viewContext} app={app} />
      <p>
        <a class="button quiet" href={buildDeveloperAppsPath(viewContext, app.id, 'secret')}>
          {developer.newSecret}
        </a>
      </p>
    </>
  );
}

/** Until when the previous client secret is valid, and when it was last used. */
function PreviousSecretNotice({ viewContext: { messages, locale }, app }: AppProps): VNode | null {
  const { previousSecretExpiresAt: expiresAt, previousSecretLastUsedAt: lastUsedAt } = app;
  if (!expiresAt || expiresAt <= new Date()) return null;
  return (
    <p>
      {interpolateNodes(messages.developer.previousSecret, {
        date: <FormattedDateTime at={expiresAt} locale={locale} />,
      })}{' '}
      {lastUsedAt
        ? interpolateNodes(messages.developer.previousSecretLastUsed, {
            date: <FormattedDateTime at={lastUsedAt} locale={locale} />,
          })
        : messages.developer.previousSecretUnused}
    </p>
  );
}

/** The button to disable or enable the app. An app that the operator disabled has none. */
function AvailabilitySection({ viewContext, app }: AppProps): VNode | null {
  const { developer } = viewContext.messages;
  if (app.disabledBy === 'operator') return null;
  return (
    <section class="card">
      <p class="secondary">{developer.disableHint}</p>
      {app.disabledAt ? (
        <ActionForm viewContext={viewContext} app={app} action="enable" label={developer.enable} />
      ) : (
        <ActionForm viewContext={viewContext} app={app} action="disable" label={developer.disable} isDestructive />
      )}
    </section>
  );
}

interface ActionFormProps extends AppProps {
  action: 'enable' | 'disable';
  label: string;
  isDestructive?: boolean;
}

function ActionForm({ viewContext, app, action, label, isDestructive = false }: ActionFormProps): VNode {
  return (
    <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, action)}>
      <button type="submit" class={isDestructive ? 'danger' : 'quiet'}>
        {label}
      </button>
    </form>
  );
}

interface AppIconFormProps {
  viewContext: ViewContext;
  app: App;
  fieldErrors: Record<string, string>;
}

const FILE_INPUT = { type: 'file', accept: 'image/png,image/jpeg,image/webp' } as const;

/** The icon or monogram of an app, with the forms to upload an icon and to remove it. */
export function AppIconForm({ viewContext, app, fieldErrors }: AppIconFormProps): VNode {
  const { developer, profile } = viewContext.messages;
  const path = buildDeveloperAppsPath(viewContext, app.id, 'icon');
  return (
    <section class="card picture-row" id="icon">
      <AppIcon viewContext={viewContext} app={app} />
      <form method="post" action={path} enctype="multipart/form-data" novalidate>
        <FormField
          name="picture"
          label={developer.icon}
          hint={profile.pictureHint}
          form={{ values: {}, fieldErrors }}
          input={FILE_INPUT}
        />
        <button type="submit" class="quiet">
          {developer.uploadIcon}
        </button>
      </form>
      {app.icon !== null && (
        <form method="post" action={`${path}/remove`}>
          <button type="submit" class="quiet">
            {developer.removeIcon}
          </button>
        </form>
      )}
    </section>
  );
}
