import type { PageError } from './page-error.js';
import type { Ui } from './ui.js';
import type { View } from './view.js';

/** Something went wrong, and what to do now. */
export function errorPage({ messages: { errors }, base }: Ui, { sentence, help, status, headers }: PageError): View {
  return {
    title: errors.title,
    status,
    headers,
    body: (
      <section class="card">
        <p>{errors[sentence]}</p>
        {help && <p>{errors[help]}</p>}
        <p>
          <a href={`${base}/`}>{errors.home}</a>
        </p>
      </section>
    ),
  };
}
