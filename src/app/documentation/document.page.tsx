import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { DocumentPage } from './documents.service.js';
import { DocumentsNav } from './documents-nav.js';

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
