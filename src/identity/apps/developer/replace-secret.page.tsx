import { interpolate } from '../../../platform/i18n/interpolate.js';
import { formatDuration } from '../../../platform/views/date-time.js';
import { ErrorSummary } from '../../../platform/views/error-summary.js';
import { FormField } from '../../../platform/views/form-field.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { NO_PREVIOUS_SECRET_TTL, PREVIOUS_SECRET_TTLS } from './previous-secret-ttl.js';

/** Renders the question before a client secret is replaced, with the time to keep the old one. */
export function renderReplaceSecretPage(
  viewContext: ViewContext,
  app: App,
  fieldErrors: Record<string, string> = {},
): View {
  const { messages, language } = viewContext;
  const { developer } = messages;
  return {
    title: interpolate(developer.replaceTitle, { app: app.name }),
    status: Object.keys(fieldErrors).length > 0 ? 422 : 200,
    body: (
      <>
        <ErrorSummary title={messages.fieldErrors.title} fieldErrors={fieldErrors} />
        <p class="lead">{developer.replaceLead}</p>
        <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, 'secret')} class="card">
          <FormField
            name="keepOld"
            label={developer.keepOld}
            hint={developer.keepOldHint}
            form={{ values: { keepOld: NO_PREVIOUS_SECRET_TTL }, fieldErrors }}
            options={[
              { value: NO_PREVIOUS_SECRET_TTL, label: developer.keepOldNone },
              ...PREVIOUS_SECRET_TTLS.map(({ value, duration, unit }) => ({
                value,
                label: formatDuration(duration, unit, language),
              })),
            ]}
          />
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
