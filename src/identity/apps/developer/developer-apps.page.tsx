import { FormattedDate } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { UnconfirmedEmailNotice } from '../../accounts/email-link.page.js';
import type { App, ClientType } from '../app.entity.js';
import { BackLink, buildDeveloperAppsPath, DocumentLinks, SuccessMessage } from './developer-components.js';
import type { VNode } from 'preact';
import { ErrorSummary } from '../../../platform/views/form-field.js';
import type { AppForm } from './app-form.pipe.js';
import { AppSettingsForm } from './app-settings-form.js';

/**
 * Renders the list of apps that a person registered.
 * @param isDeleted whether the person just deleted an app
 */
export function renderDeveloperAppsPage(viewContext: ViewContext, apps: App[], isDeleted: boolean): View {
  const { developer } = viewContext.messages;
  return {
    title: developer.title,
    body: (
      <>
        {isDeleted && <SuccessMessage>{developer.deletion.done}</SuccessMessage>}
        <p class="lead">{apps.length > 0 ? developer.lead : developer.none}</p>
        <DocumentLinks viewContext={viewContext} />
        {apps.map((app) => (
          <section class="card" key={app.id}>
            <h2>
              <a href={buildDeveloperAppsPath(viewContext, app.id)}>{app.name}</a>{' '}
              {app.disabledAt && <span class="tag">{developer.disabled}</span>}
            </h2>
            {app.description && <p>{app.description}</p>}
            <p class="facts">
              <code>{app.id}</code>
              <FormattedDate at={app.createdAt} locale={viewContext.locale} />
            </p>
          </section>
        ))}
        <p>
          <a href={buildDeveloperAppsPath(viewContext, 'new')} class="button">
            {developer.register}
          </a>
        </p>
      </>
    ),
  };
}

const DEFAULT_FORM: AppForm = {
  clientType: 'confidential',
  name: '',
  redirectUris: [],
  scopes: ['openid', 'profile'],
  idTokenAlg: 'RS256',
};

interface NewAppPageProps {
  /** The rejected input. */
  settings?: AppForm;
  fieldErrors?: Record<string, string>;
  asksPassword: boolean;
}

/** Renders the form to register an app. */
export function renderNewAppPage(
  viewContext: ViewContext,
  { settings = DEFAULT_FORM, fieldErrors = {}, asksPassword }: NewAppPageProps,
): View {
  const { developer } = viewContext.messages;
  const isInvalid = Object.keys(fieldErrors).length > 0;
  return {
    title: developer.register,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={viewContext.messages.fieldErrors.title} fieldErrors={fieldErrors} />
        <AppSettingsForm
          {...{ viewContext, settings, fieldErrors, asksPassword }}
          clientType="confidential"
          actionUrl={buildDeveloperAppsPath(viewContext)}
          submitLabel={developer.registerButton}
          isOpen={false}
        >
          <ClientTypeChoice viewContext={viewContext} clientType={settings.clientType} />
        </AppSettingsForm>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

/** Renders the notice that the person must confirm the e-mail address before registering an app. */
export function renderUnconfirmedPage(viewContext: ViewContext): View {
  return {
    title: viewContext.messages.developer.register,
    body: (
      <>
        <UnconfirmedEmailNotice viewContext={viewContext} />
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

/** Whether the app can keep a secret: the developer says where it runs. */
function ClientTypeChoice({ viewContext, clientType }: { viewContext: ViewContext; clientType: ClientType }): VNode {
  const { developer } = viewContext.messages;
  const choices = [
    { value: 'confidential', label: developer.serverApp, hint: developer.serverAppHint },
    { value: 'public', label: developer.publicClient, hint: developer.publicClientHint },
  ];
  return (
    <fieldset>
      <legend>{developer.clientType}</legend>
      {choices.map(({ value, label, hint }) => (
        <div key={value} class="choice">
          <input
            type="radio"
            name="clientType"
            id={value}
            value={value}
            checked={value === clientType}
            aria-describedby={`${value}-hint`}
          />
          <label for={value}>{label}</label>
          <p class="hint sentence" id={`${value}-hint`}>
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  );
}
