import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { AppSettingsInput } from '../app-settings.js';
import { AppSettingsForm } from './app-settings-form.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { BackLink, ValidationAlert } from './developer-components.js';

const DEFAULT_APP_SETTINGS: AppSettingsInput = {
  name: '',
  redirectUris: [],
  scopes: ['openid', 'profile'],
  idTokenAlg: 'RS256',
};

/** Renders the form to register an app. */
export function renderNewAppPage(
  viewContext: ViewContext,
  settings: AppSettingsInput = DEFAULT_APP_SETTINGS,
  fieldErrors: Record<string, string> = {},
): View {
  const { developer } = viewContext.messages;
  const isInvalid = Object.keys(fieldErrors).length > 0;
  return {
    title: developer.register,
    status: isInvalid ? 422 : 200,
    body: (
      <>
        <ValidationAlert viewContext={viewContext} isInvalid={isInvalid} />
        <AppSettingsForm
          {...{ viewContext, settings, fieldErrors }}
          actionUrl={buildDeveloperAppsPath(viewContext)}
          submitLabel={developer.registerButton}
        />
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}
