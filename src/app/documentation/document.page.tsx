import type { VNode } from 'preact';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { DOCUMENT_GROUPS } from './document-catalog.js';
import type { DocumentPage } from './documents.service.js';

/** Renders a document with its contents and the navigation between the documents. */
export function renderDocumentPage(viewContext: ViewContext, document: DocumentPage, documents: DocumentPage[]): View {
  const { basePath, messages } = viewContext;
  const { title, sections, html, slug } = document;
  return {
    title,
    titleLanguage: 'en',
    isCacheable: true,
    body: (
      <>
        <link rel="stylesheet" href={`${basePath}/docs/files/documents.css`} />
        <div class="documentation">
          <DocumentsNav viewContext={viewContext} documents={documents} slug={slug} />
          <div>
            {sections.length > 1 && (
              <nav class="contents" aria-labelledby="contents">
                <p id="contents">{messages.documentation.contents}</p>
                <ul lang="en">
                  {sections.map((section) => (
                    <li>
                      <a href={`#${section.id}`}>{section.title}</a>
                    </li>
                  ))}
                </ul>
              </nav>
            )}
            <article lang="en" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
        </div>
      </>
    ),
  };
}

interface DocumentsNavProps {
  viewContext: ViewContext;
  documents: DocumentPage[];
  /** Path of the shown page below `/docs/`: empty for the API reference, none for the search. */
  slug?: string;
}

/**
 * The navigation between the API reference and the documents, in groups. The group of the shown
 * page is open. Titles of documents are English.
 */
export function DocumentsNav({ viewContext: { basePath, messages }, documents, slug }: DocumentsNavProps): VNode {
  const shownGroup = documents.find((document) => getCurrent(document.slug, slug) && document.group)?.group;
  return (
    <nav class="documents" aria-label={messages.documentation.title}>
      <a href={`${basePath}/docs`} aria-current={slug === '' ? 'page' : undefined}>
        {messages.reference.title}
      </a>
      {DOCUMENT_GROUPS.map((group) => (
        <details key={group} open={group === (shownGroup ?? DOCUMENT_GROUPS[0])}>
          <summary>{messages.documentation[group]}</summary>
          <div>
            {' '}
            {documents
              .filter((document) => document.group === group)
              .map((document) => (
                <a lang="en" href={`${basePath}/docs/${document.slug}`} aria-current={getCurrent(document.slug, slug)}>
                  {document.title}
                </a>
              ))}
          </div>
        </details>
      ))}
    </nav>
  );
}

/** Returns `true` instead of `page` for the list that contains the shown decision record. */
function getCurrent(linked: string, shown = ''): 'page' | 'true' | undefined {
  if (linked === shown) return 'page';
  return shown.startsWith(`${linked}/`) ? 'true' : undefined;
}
