import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { App } from './app.entity.js';
import { formatRedirectDestination } from './redirect-uri.js';

/**
 * Renders the page from which a person continues to an app by a link, for a visitor without a
 * session and an app that no person ever allowed.
 * @param url redirect URI of the app, with the parameters of the response
 */
export function renderLeavingPage({ messages: { leaving } }: ViewContext, app: App, url: string): View {
  const place = formatRedirectDestination(url.split('?', 1)[0]!);
  return {
    title: interpolate(leaving.title, { place }),
    hideNavigation: true,
    body: (
      <section class="card">
        <p>{interpolate(leaving.newApp, { app: app.name, place })}</p>
        <p>
          <a href={url} rel="noreferrer">
            {interpolate(leaving.continue, { place })}
          </a>
        </p>
      </section>
    ),
  };
}
