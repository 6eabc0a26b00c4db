import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { DocumentsNav } from '../../documentation/document.page.js';
import type { DocumentPage } from '../../documentation/documents.service.js';
import { AuthorizeForm } from './forms.js';
import { OperationSection } from './operation-section.js';
import { listOperationsOfTag, type ReferenceDocument } from './reference-document.js';
import { Search } from './search.js';
import { FieldList, getObjectId, InlineText, listMembers } from './schema-view.js';

interface DocsPageProps {
  document: ReferenceDocument;
  /** The text of the document about all operations, as HTML. */
  conventionsHtml: string;
  /** All documents. */
  documents: DocumentPage[];
}

/** Renders the API reference. Its texts about operations are English. */
export function renderDocsPage(
  viewContext: ViewContext,
  { document, conventionsHtml, documents }: DocsPageProps,
): View {
  const { basePath, baseUrl, messages } = viewContext;
  const { reference } = messages;
  return {
    title: reference.title,
    script: '/docs/assets/reference.js',
    isEnhanced: true,
    isCacheable: true,
    body: (
      <>
        <link rel="stylesheet" href={`${basePath}/docs/files/documents.css`} />
        <link rel="stylesheet" href={`${basePath}/docs/assets/reference.css`} />
        <div class="documentation reference">
          <DocumentsNav viewContext={viewContext} documents={documents} slug="" />
          <div>
            <p class="lead">{reference.lead}</p>
            <p>
              <a href={`${basePath}/api/openapi.json`}>{reference.openApiDocument}</a>
            </p>
            <noscript>
              <p>{reference.noScript}</p>
            </noscript>
            <Search viewContext={viewContext} />
            <nav class="contents" aria-labelledby="operations">
              <p id="operations">{reference.operations}</p>
              <ul>
                {document.tags.map(({ name }) => (
                  <li key={name} lang="en">
                    <a href={`#${toTagId(name)}`}>{name}</a>
                  </li>
                ))}
                <li>
                  <a href="#objects">{reference.objects}</a>
                </li>
              </ul>
            </nav>
            <AuthorizeForm viewContext={viewContext} redirectUri={`${baseUrl}/docs/oauth2-redirect.html`} />
            <details class="card">
              <summary>
                <h2>{reference.conventions}</h2>
              </summary>
              <article lang="en" dangerouslySetInnerHTML={{ __html: conventionsHtml }} />
            </details>
            {document.tags.map((tag) => (
              <section key={tag.name} aria-labelledby={toTagId(tag.name)}>
                <h2 id={toTagId(tag.name)} lang="en">
                  {tag.name}
                </h2>
                <p lang="en">{tag.description}</p>
                {listOperationsOfTag(document, tag.name).map((operation) => (
                  <OperationSection
                    key={operation.operationId}
                    viewContext={viewContext}
                    document={document}
                    operation={operation}
                  />
                ))}
              </section>
            ))}
            <Objects viewContext={viewContext} document={document} />
          </div>
        </div>
      </>
    ),
  };
}

/** The objects in bodies and responses, with their members. */
function Objects({ viewContext, document }: { viewContext: ViewContext; document: ReferenceDocument }): VNode {
  const { reference, developer } = viewContext.messages;
  return (
    <section aria-labelledby="objects">
      <h2 id="objects">{reference.objects}</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <details key={name} class="operation" id={getObjectId(name)}>
          <summary lang="en">
            <code>{name}</code>
          </summary>
          <p lang="en">
            <InlineText text={schema.description ?? ''} />
          </p>
          <FieldList fields={listMembers(schema)} requiredLabel={developer.required} />
        </details>
      ))}
    </section>
  );
}

function toTagId(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

/** Renders the page that passes the authorization response to the window that opened it. */
export function renderOAuthRedirectPage({ basePath, messages: { reference } }: ViewContext): View {
  return {
    title: reference.title,
    script: '/docs/assets/oauth-redirect.js',
    body: (
      <p>
        <a href={`${basePath}/docs`}>{reference.title}</a>
      </p>
    ),
  };
}
