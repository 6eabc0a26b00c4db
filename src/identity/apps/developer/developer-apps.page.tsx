import { FormattedDate } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';

/** Renders the list of apps that a person registered. */
export function renderDeveloperAppsPage(viewContext: ViewContext, apps: App[]): View {
  const { developer } = viewContext.messages;
  return {
    title: developer.title,
    body: (
      <>
        <p class="lead">{apps.length > 0 ? developer.lead : developer.none}</p>
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
