import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { formatDuration, FormattedDateTime } from '../../../platform/views/date-time.js';
import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import type { NewCredentials } from './new-credentials.service.js';
import { NO_PREVIOUS_SECRET_TTL, PREVIOUS_SECRET_TTLS } from './developer-apps.service.js';
import {
  BackLink,
  buildDeveloperAppsPath,
  Copyable,
  NextSteps,
  PasswordField,
  SuccessMessage,
} from './developer-components.js';

/** Renders new credentials, which are shown only once. */
export function renderCredentialsPage(
  viewContext: ViewContext,
  app: App,
  { clientSecret, isNewApp }: NewCredentials,
): View {
  const { developer } = viewContext.messages;
  return {
    title: app.name,
    isEnhanced: true,
    body: (
      <>
        <SuccessMessage>{isNewApp ? developer.registered : developer.secretReplaced}</SuccessMessage>
        <section class="card">
          <Copyable id="client-id" title={developer.clientId}>
            <p class="secret">{app.id}</p>
          </Copyable>
          {clientSecret === null ? (
            <p>{developer.noSecret}</p>
          ) : (
            <NewSecret {...{ viewContext, app, clientSecret, isNewApp }} />
          )}
        </section>
        {isNewApp && <NextSteps viewContext={viewContext} app={app} />}
        <p>
          <a href={buildDeveloperAppsPath(viewContext, app.id)}>{developer.edit}</a>
        </p>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

interface NewSecretProps {
  viewContext: ViewContext;
  app: App;
  clientSecret: string;
  isNewApp: boolean;
}

/** The new secret, and until when the previous one is valid. */
function NewSecret({ viewContext, app, clientSecret, isNewApp }: NewSecretProps): VNode {
  const { developer } = viewContext.messages;
  const { previousSecretExpiresAt: expiresAt } = app;
  return (
    <>
      <Copyable id="client-secret" title={developer.secret}>
        <p class="secret">{clientSecret}</p>
      </Copyable>
      <p>
        <strong>{developer.secretShownOnce}</strong>
      </p>
      {!isNewApp && !expiresAt && <p>{developer.oldSecretEnded}</p>}
      {expiresAt && (
        <p>
          {interpolateNodes(developer.previousSecret, {
            date: <FormattedDateTime at={expiresAt} locale={viewContext.locale} />,
          })}
        </p>
      )}
    </>
  );
}

interface ReplaceSecretPageProps {
  app: App;
  form: FormState;
  asksPassword: boolean;
}

/** Renders the question before a client secret is replaced, with the time to keep the old one. */
export function renderReplaceSecretPage(
  viewContext: ViewContext,
  { app, form: { values, fieldErrors }, asksPassword }: ReplaceSecretPageProps,
): View {
  const { messages, language } = viewContext;
  const { developer } = messages;
  const form = { values: { keepOld: NO_PREVIOUS_SECRET_TTL, ...values }, fieldErrors };
  return {
    title: interpolate(developer.replaceTitle, { app: app.name }),
    status: Object.keys(fieldErrors).length > 0 ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={messages.fieldErrors.title} fieldErrors={fieldErrors} />
        <p class="lead">{developer.replaceLead}</p>
        <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, 'secret')} class="card" novalidate>
          <FormField
            name="keepOld"
            label={developer.keepOld}
            hint={developer.keepOldHint}
            form={form}
            options={[
              { value: NO_PREVIOUS_SECRET_TTL, label: developer.keepOldNone },
              ...PREVIOUS_SECRET_TTLS.map(({ value, duration, unit }) => ({
                value,
                label: formatDuration(duration, unit, language),
              })),
            ]}
          />
          {asksPassword && <PasswordField viewContext={viewContext} form={form} />}
          <div class="actions">
            <button type="submit" class="danger">
              {developer.newSecret}
            </button>
            <a class="button quiet" href={buildDeveloperAppsPath(viewContext, app.id)}>
              {developer.keepSecret}
            </a>
          </div>
        </form>
      </>
    ),
  };
}
