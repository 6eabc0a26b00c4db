import { interpolate } from '../../../platform/i18n/interpolate.js';
import { formatDuration } from '../../../platform/views/date-time.js';
import { ErrorSummary } from '../../../platform/views/error-summary.js';
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
  const error = fieldErrors['keepOld'];
  return {
    title: interpolate(developer.replaceTitle, { app: app.name }),
    status: error ? 422 : 200,
    body: (
      <>
        <ErrorSummary title={messages.fieldErrors.title} fieldErrors={fieldErrors} />
        <p class="lead">{developer.replaceLead}</p>
        <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, 'secret')} class="card">
          <div class="field">
            <label for="keepOld">{developer.keepOld}</label>
            <p class="hint" id="keepOld-hint">
              {developer.keepOldHint}
            </p>
            {error && (
              <p class="field-error" id="keepOld-error">
                {error}
              </p>
            )}
            <select
              id="keepOld"
              name="keepOld"
              aria-describedby={error ? 'keepOld-hint keepOld-error' : 'keepOld-hint'}
              aria-invalid={error ? 'true' : undefined}
              autofocus={error !== undefined}
            >
              <option value={NO_PREVIOUS_SECRET_TTL} selected>
                {developer.keepOldNone}
              </option>
              {PREVIOUS_SECRET_TTLS.map(({ value, duration, unit }) => (
                <option key={value} value={value}>
                  {formatDuration(duration, unit, language)}
                </option>
              ))}
            </select>
          </div>
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
