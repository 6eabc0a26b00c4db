import type { VNode } from 'preact';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { DocumentPage } from './documents.service.js';

interface DocumentsNavProps {
  viewContext: ViewContext;
  documents: DocumentPage[];
  /** Path of the shown page below `/docs/`; empty for the API reference. */
  slug: string;
}

/** The navigation between the API reference and the documents. Titles of documents are English. */
export function DocumentsNav({ viewContext: { basePath, messages }, documents, slug }: DocumentsNavProps): VNode {
  return (
    <nav class="documents" aria-label={messages.documentation.title}>
      <a href={`${basePath}/docs`} aria-current={slug === '' ? 'page' : undefined}>
        {messages.reference.title}
      </a>
      {documents.map((document) => (
        <a lang="en" href={`${basePath}/docs/${document.slug}`} aria-current={getCurrent(document.slug, slug)}>
          {document.title}
        </a>
      ))}
    </nav>
  );
}

/** Returns `true` instead of `page` for the list that contains the shown decision record. */
function getCurrent(linked: string, shown: string): 'page' | 'true' | undefined {
  if (linked === shown) return 'page';
  return shown.startsWith(`${linked}/`) ? 'true' : undefined;
}
