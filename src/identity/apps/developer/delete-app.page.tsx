import { interpolate } from '../../../platform/i18n/interpolate.js';
import { ErrorSummary } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { AppToDelete } from './developer-apps.service.js';
import { buildDeveloperAppsPath, PasswordField } from './developer-components.js';

/** Renders the question before an app is deleted: what ends, and what stays. */
export function renderDeleteAppPage(
  viewContext: ViewContext,
  { app, peopleCount, asksPassword }: AppToDelete,
  form: FormState,
): View {
  const { developer, fieldErrors } = viewContext.messages;
  const { deletion } = developer;
  return {
    title: interpolate(deletion.title, { app: app.name }),
    status: Object.keys(form.fieldErrors).length > 0 ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        <p class="lead">{deletion.lead}</p>
        <h2>{deletion.endsTitle}</h2>
        <ul>
          {Object.values(deletion.ends).map((item) => (
            <li key={item}>{interpolate(item, { count: String(peopleCount) })}</li>
          ))}
        </ul>
        <h2>{deletion.staysTitle}</h2>
        <ul>
          {Object.values(deletion.stays).map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <form method="post" action={buildDeveloperAppsPath(viewContext, app.id, 'delete')} class="card" novalidate>
          {asksPassword && <PasswordField viewContext={viewContext} form={form} />}
          <div class="actions">
            <button type="submit" class="danger">
              {deletion.button}
            </button>
            <a class="button quiet" href={buildDeveloperAppsPath(viewContext, app.id)}>
              {deletion.keep}
            </a>
          </div>
        </form>
      </>
    ),
  };
}
