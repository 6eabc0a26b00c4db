import type { VNode } from 'preact';
import { ErrorSummary } from '../../../platform/views/error-summary.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { ClientType } from '../app.entity.js';
import type { AppForm } from './app-form.pipe.js';
import { AppSettingsForm } from './app-settings-form.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { BackLink } from './developer-components.js';

const DEFAULT_FORM: AppForm = {
  clientType: 'confidential',
  name: '',
  redirectUris: [],
  scopes: ['openid', 'profile'],
  idTokenAlg: 'RS256',
};

/** Renders the form to register an app. */
export function renderNewAppPage(
  viewContext: ViewContext,
  form: AppForm = DEFAULT_FORM,
  fieldErrors: Record<string, string> = {},
): View {
  const { developer } = viewContext.messages;
  const isInvalid = Object.keys(fieldErrors).length > 0;
  return {
    title: developer.register,
    status: isInvalid ? 422 : 200,
    body: (
      <>
        <ErrorSummary title={viewContext.messages.fieldErrors.title} fieldErrors={fieldErrors} />
        <AppSettingsForm
          {...{ viewContext, settings: form, fieldErrors }}
          clientType="confidential"
          actionUrl={buildDeveloperAppsPath(viewContext)}
          submitLabel={developer.registerButton}
        >
          <ClientTypeChoice viewContext={viewContext} clientType={form.clientType} />
        </AppSettingsForm>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

/** The box that registers a public client. */
function ClientTypeChoice({ viewContext, clientType }: { viewContext: ViewContext; clientType: ClientType }): VNode {
  const { developer } = viewContext.messages;
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="clientType"
        id="clientType"
        value="public"
        checked={clientType === 'public'}
        aria-describedby="clientType-hint"
      />
      <label for="clientType">{developer.publicClient}</label>
      <p class="hint sentence" id="clientType-hint">
        {developer.publicClientHint}
      </p>
    </div>
  );
}
