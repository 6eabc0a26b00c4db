import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { type AppResponse, ContinueToApp } from './app-response.js';
import type { App } from './app.entity.js';
import { formatRedirectDestination } from './redirect-uri.js';

/**
 * Renders the page from which a person continues to an app, for a visitor without a session and an
 * app that no person ever allowed.
 */
export function renderLeavingPage({ messages: { leaving } }: ViewContext, app: App, response: AppResponse): View {
  const place = formatRedirectDestination(response.url.split('?', 1)[0]!);
  return {
    title: interpolate(leaving.title, { place }),
    hideNavigation: true,
    formRedirectUri: response.fields && response.url,
    body: (
      <section class="card">
        <p>{interpolate(leaving.newApp, { app: app.name, place })}</p>
        <ContinueToApp response={response} text={interpolate(leaving.continue, { place })} />
      </section>
    ),
  };
}
