import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { DocumentsNav } from '../documentation/documents-nav.js';
import type { DocumentPage } from '../documentation/documents.service.js';

/** Swagger UI sets `style` attributes, and its style sheet contains images as `data:` URLs. */
const DOCS_HEADERS = buildCspHeader(
  "script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
);

const OAUTH_REDIRECT_HEADERS = buildCspHeader("script-src 'self'; style-src 'self'; img-src 'self'");

/**
 * Renders the page with Swagger UI.
 * @param baseUrl `BASE_URL`
 * @param documents the documents that the navigation lists
 */
export function renderDocsPage(viewContext: ViewContext, baseUrl: string, documents: DocumentPage[]): View {
  const {
    basePath,
    messages: { developer, reference },
  } = viewContext;
  const document = `${basePath}/api/openapi.json`;
  const redirect = `${baseUrl}/docs/oauth2-redirect.html`;
  return {
    title: reference.title,
    headers: DOCS_HEADERS,
    body: (
      <>
        <link rel="stylesheet" href={`${basePath}/docs/assets/swagger-ui.css`} />
        <link rel="stylesheet" href={`${basePath}/docs/assets/reference.css`} />
        <link rel="stylesheet" href={`${basePath}/docs/files/documents.css`} />
        <DocumentsNav viewContext={viewContext} documents={documents} slug="" />
        <p class="lead">{reference.lead}</p>
        <p>{reference.authorize}</p>
        <p>
          {reference.redirectUri} <code>{redirect}</code>
        </p>
        <p>
          <a href={document}>{reference.openApiDocument}</a> ·{' '}
          <a href={`${basePath}/developer/apps/new`}>{developer.register}</a>
        </p>
        <noscript>
          <p>{reference.noScript}</p>
        </noscript>
        <div id="reference" data-document={document} data-redirect={redirect}></div>
        <script src={`${basePath}/docs/assets/swagger-ui-bundle.js`} defer></script>
        <script src={`${basePath}/docs/assets/reference.js`} defer></script>
      </>
    ),
  };
}

/** Renders the page that passes the authorization response to the window that opened it. */
export function renderOAuthRedirectPage({ basePath, messages: { reference } }: ViewContext): View {
  return {
    title: reference.title,
    headers: OAUTH_REDIRECT_HEADERS,
    body: (
      <>
        <p>
          <a href={`${basePath}/docs`}>{reference.title}</a>
        </p>
        <script src={`${basePath}/docs/assets/oauth2-redirect.js`} defer></script>
      </>
    ),
  };
}

function buildCspHeader(rules: string): Record<string, string> {
  const ends = "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
  return { 'Content-Security-Policy': `default-src 'none'; ${rules}; ${ends}` };
}
