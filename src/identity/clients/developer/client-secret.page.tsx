import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { AppWithSecret } from '../new-app.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { BackLink, SuccessMessage } from './developer-components.js';

/**
 * Renders the client id and a new client secret, which is shown only once.
 * @param isNewApp whether the app was just registered
 */
export function renderClientSecretPage(
  viewContext: ViewContext,
  { app, clientSecret }: AppWithSecret,
  isNewApp: boolean,
): View {
  const { developer } = viewContext.messages;
  return {
    title: app.name,
    body: (
      <>
        {isNewApp && <SuccessMessage>{developer.registered}</SuccessMessage>}
        <section class="card">
          <h2>{developer.clientId}</h2>
          <p class="secret">{app.id}</p>
          {clientSecret === null ? <p>{developer.noSecret}</p> : <NewSecret {...{ viewContext, clientSecret }} />}
        </section>
        <p>
          <a href={buildDeveloperAppsPath(viewContext, app.id)}>{developer.edit}</a>
        </p>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

function NewSecret({ viewContext, clientSecret }: { viewContext: ViewContext; clientSecret: string }): VNode {
  const { developer } = viewContext.messages;
  return (
    <>
      <h2>{developer.secret}</h2>
      <p class="secret">{clientSecret}</p>
      <p>
        <strong>{developer.secretShownOnce}</strong>
      </p>
    </>
  );
}
