import type { PageError } from './page-error.js';
import type { ViewContext } from './view-context.js';
import type { View } from './view.js';

/** Renders the error page: the error message, what to do next, and a link to the home page. */
export function renderErrorPage(
  { messages: { errors }, basePath }: ViewContext,
  { messageKey, helpKey, status, headers }: PageError,
): View {
  return {
    title: errors.title,
    status,
    headers,
    body: (
      <section class="card">
        <p>{errors[messageKey]}</p>
        {helpKey && <p>{errors[helpKey]}</p>}
        <p>
          <a href={`${basePath}/`}>{errors.home}</a>
        </p>
      </section>
    ),
  };
}
