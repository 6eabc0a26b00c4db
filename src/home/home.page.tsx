import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';

/** Where to go from here. */
export function homePage({ messages, base }: Ui): View {
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
              <a href={`${base}/account/apps`}>{nav.apps}</a>
            </p>
          </section>
          <section class="card">
            <h2>{home.developers}</h2>
            <p>{home.developersText}</p>
            <p>
              <a href={`${base}/developer/apps`}>{developer.title}</a>
            </p>
            <p>
              <a href={`${base}/docs`}>{reference.title}</a>
            </p>
            <p>
              <a href={`${base}/.well-known/openid-configuration`}>{home.discovery}</a>
            </p>
          </section>
        </div>
      </>
    ),
  };
}
