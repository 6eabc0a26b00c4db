import { ContactLine } from './footer.js';
import type { PageError } from './page-error.js';
import type { ViewContext } from './view-context.js';
import type { View } from './view.js';

/**
 * Renders the error page: the error message, the next step, the contact, and a link to the home
 * page.
 */
export function renderErrorPage(viewContext: ViewContext, { messageKey, helpKey, status, headers }: PageError): View {
  const { messages, basePath } = viewContext;
  const { errors } = messages;
  return {
    title: errors.title,
    status,
    headers,
    hasMural: true,
    body: (
      <section class="card">
        <p>{errors[messageKey]}</p>
        {helpKey && <p>{errors[helpKey]}</p>}
        <ContactLine viewContext={viewContext} />
        <p>
          <a href={`${basePath}/`}>{errors.home}</a>
        </p>
      </section>
    ),
  };
}
