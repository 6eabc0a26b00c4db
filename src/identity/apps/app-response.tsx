import type { VNode } from 'preact';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { formatRedirectDestination } from './redirect-uri.js';

/** The response of a request in the browser to the app. */
export interface AppResponse {
  /** Redirect URI of the app, with the parameters of the response if there is no form. */
  url: string;
  /** The form that the browser posts to the URL (OAuth 2.0 Form Post Response Mode). */
  fields?: Record<string, string>;
}

/** Lets the person continue to the app by a link, or by a button if the response is a form. */
export function ContinueToApp({ response: { url, fields }, text }: { response: AppResponse; text: string }): VNode {
  if (!fields) {
    return (
      <p>
        <a href={url} rel="noreferrer">
          {text}
        </a>
      </p>
    );
  }
  return (
    <form method="post" action={url} data-response-to-app>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div class="actions">
        <button type="submit">{text}</button>
      </div>
    </form>
  );
}

/** Renders the page that posts the response to the app: at once by a script, else by its button. */
export function renderFormPostPage({ messages: { leaving } }: ViewContext, response: AppResponse): View {
  const place = formatRedirectDestination(response.url);
  return {
    title: interpolate(leaving.title, { place }),
    hideNavigation: true,
    formRedirectUri: response.url,
    script: '/assets/form-post.js',
    body: (
      <section class="card">
        <ContinueToApp response={response} text={interpolate(leaving.continue, { place })} />
      </section>
    ),
  };
}
