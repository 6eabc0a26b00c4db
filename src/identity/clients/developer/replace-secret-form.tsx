import type { VNode } from 'preact';
import { formatDuration } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { App } from '../app.entity.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { NO_PREVIOUS_SECRET_TTL, PREVIOUS_SECRET_TTLS } from './previous-secret-ttl.js';

interface ReplaceSecretFormProps {
  viewContext: ViewContext;
  app: App;
  fieldError: string | undefined;
}

/** The form that replaces the client secret, with the time for which the old one stays valid. */
export function ReplaceSecretForm({ viewContext, app, fieldError }: ReplaceSecretFormProps): VNode {
  const { messages, language } = viewContext;
  const { developer } = messages;
  return (
    <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, 'secret')}>
      <div class="field">
        <label for="keepOld">{developer.keepOld}</label>
        <p class="hint" id="keepOld-hint">
          {developer.keepOldHint}
        </p>
        {fieldError && (
          <p class="field-error" id="keepOld-error">
            {fieldError}
          </p>
        )}
        <select
          id="keepOld"
          name="keepOld"
          aria-describedby={fieldError ? 'keepOld-hint keepOld-error' : 'keepOld-hint'}
          aria-invalid={fieldError ? 'true' : undefined}
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
      <button type="submit" class="quiet">
        {developer.newSecret}
      </button>
    </form>
  );
}
