import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';

/** Swagger UI writes `style` attributes, and has pictures in its stylesheet. */
const READING = policy("script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:");

const RETURNING = policy("script-src 'self'; style-src 'self'; img-src 'self'");

/** The reference. @param baseUrl `BASE_URL` */
export function docsPage({ base, messages: { developer, reference } }: Ui, baseUrl: string): View {
  const document = `${base}/api/openapi.json`;
  const redirect = `${baseUrl}/docs/oauth2-redirect.html`;
  return {
    title: reference.title,
    headers: READING,
    body: (
      <>
        <link rel="stylesheet" href={`${base}/docs/assets/swagger-ui.css`} />
        <link rel="stylesheet" href={`${base}/docs/assets/reference.css`} />
        <p class="lead">{reference.lead}</p>
        <p>{reference.authorize}</p>
        <p>
          {reference.redirect} <code>{redirect}</code>
        </p>
        <p>
          <a href={document}>{reference.document}</a> · <a href={`${base}/developer/apps/new`}>{developer.register}</a>
        </p>
        <noscript>
          <p>{reference.scriptless}</p>
        </noscript>
        <div id="reference" data-document={document} data-redirect={redirect}></div>
        <script src={`${base}/docs/assets/swagger-ui-bundle.js`} defer></script>
        <script src={`${base}/docs/assets/reference.js`} defer></script>
      </>
    ),
  };
}

/** What hands the answer of the authorization endpoint to the window that waits for it. */
export function returnPage({ base, messages: { reference } }: Ui): View {
  return {
    title: reference.title,
    headers: RETURNING,
    body: (
      <>
        <p>
          <a href={`${base}/docs`}>{reference.title}</a>
        </p>
        <script src={`${base}/docs/assets/oauth2-redirect.js`} defer></script>
      </>
    ),
  };
}

function policy(rules: string): Record<string, string> {
  const ends = "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
  return { 'Content-Security-Policy': `default-src 'none'; ${rules}; ${ends}` };
}
