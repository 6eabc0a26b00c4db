import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDateTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { App } from '../app.entity.js';
import type { AppWithSecret } from '../new-app.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';
import { NextSteps } from './next-steps.js';
import { BackLink, Copyable, SuccessMessage } from './developer-components.js';

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
    isEnhanced: true,
    body: (
      <>
        {isNewApp && <SuccessMessage>{developer.registered}</SuccessMessage>}
        <section class="card">
          <Copyable id="client-id" title={developer.clientId}>
            <p class="secret">{app.id}</p>
          </Copyable>
          {clientSecret === null ? <p>{developer.noSecret}</p> : <NewSecret {...{ viewContext, app, clientSecret }} />}
        </section>
        {isNewApp && <NextSteps viewContext={viewContext} app={app} />}
        <p>
          <a href={buildDeveloperAppsPath(viewContext, app.id)}>{developer.edit}</a>
        </p>
        <BackLink viewContext={viewContext} />
      </>
    ),
  };
}

interface NewSecretProps {
  viewContext: ViewContext;
  app: App;
  clientSecret: string;
}

/** The new secret, and until when the previous one is valid. */
function NewSecret({ viewContext, app: { previousSecretExpiresAt: expiresAt }, clientSecret }: NewSecretProps): VNode {
  const { developer } = viewContext.messages;
  return (
    <>
      <Copyable id="client-secret" title={developer.secret}>
        <p class="secret">{clientSecret}</p>
      </Copyable>
      <p>
        <strong>{developer.secretShownOnce}</strong>
      </p>
      {expiresAt && (
        <p>
          {interpolateNodes(developer.previousSecret, {
            date: <FormattedDateTime at={expiresAt} locale={viewContext.locale} />,
          })}
        </p>
      )}
    </>
  );
}
