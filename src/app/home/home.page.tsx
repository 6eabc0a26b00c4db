import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/** Renders the home page with links for members and developers. */
export function renderHomePage({ messages, basePath }: ViewContext): View {
  const { home, nav, developer, reference } = messages;
  return {
    title: home.title,
    body: (
      <>
        <p class="lead">{home.lead}</p>
        <div class="columns">
          <section class="card">
            <h2>{home.members}</h2>
            <p>{home.membersText}</p>
            <p>
              <a href={`${basePath}/account/apps`}>{nav.apps}</a>
            </p>
          </section>
          <section class="card">
            <h2>{home.developers}</h2>
            <p>{home.developersText}</p>
            <p>
              <a href={`${basePath}/developer/apps`}>{developer.title}</a>
            </p>
            <p>
              <a href={`${basePath}/docs`}>{reference.title}</a>
            </p>
            <p>
              <a href={`${basePath}/.well-known/openid-configuration`}>{home.discovery}</a>
            </p>
          </section>
        </div>
      </>
    ),
  };
}
