import type { VNode } from 'preact';
import { AppRegistration, AppRights } from '../../identity/apps/app-facts.js';
import { AppIcon } from '../../identity/apps/app-icon.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { PublicApp } from './public-apps.service.js';

interface PublicAppsProps {
  viewContext: ViewContext;
  apps: PublicApp[];
}

/** Renders the apps that everyone can open: what each does, who made it, and what it asks for. */
export function renderPublicAppsPage(viewContext: ViewContext, apps: PublicApp[]): View {
  const { messages, basePath } = viewContext;
  const { publicApps, developer } = messages;
  return {
    title: publicApps.title,
    body: (
      <>
        <p class="lead">{apps.length > 0 ? publicApps.lead : publicApps.none}</p>
        {apps.map(({ app, owner }) => (
          <section key={app.id} class="card app-card">
            <AppIcon viewContext={viewContext} app={app} />
            <div>
              <h2 id={app.id}>{app.name}</h2>
              {app.description && <p>{app.description}</p>}
              <AppRights viewContext={viewContext} scopes={app.scopes} />
              <p class="secondary">
                <AppRegistration viewContext={viewContext} app={app} owner={owner} />
              </p>
            </div>
            <OpenApp viewContext={viewContext} app={app} />
          </section>
        ))}
        <p class="secondary">
          {publicApps.offer} <a href={`${basePath}/developer/apps`}>{developer.title}</a>
        </p>
      </>
    ),
  };
}

/** A short list of the apps: icon, name, description and the link to open each one. */
export function PublicAppList({ viewContext, apps }: PublicAppsProps): VNode {
  return (
    <ul class="row-list app-list">
      {apps.map(({ app }) => (
        <li key={app.id}>
          <AppIcon viewContext={viewContext} app={app} />
          <strong id={app.id}>{app.name}</strong>
          <OpenApp viewContext={viewContext} app={app} />
          {app.description && (
            <div>
              <p class="secondary">{app.description}</p>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The link to the home page of a listed app, which has one. */
function OpenApp({ viewContext: { messages }, app }: { viewContext: ViewContext; app: PublicApp['app'] }): VNode {
  return (
    <a class="button quiet small" href={app.homePage!} rel="noreferrer" aria-describedby={app.id}>
      {messages.publicApps.open}
    </a>
  );
}
