import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { DocumentPage } from '../../documentation/documents.service.js';

interface SearchFormProps {
  viewContext: ViewContext;
  documents: DocumentPage[];
}

/**
 * The search for operations, objects and sections of documents. It is hidden until the script of
 * the page runs, which filters while the person types.
 */
export function SearchForm({ viewContext, documents }: SearchFormProps): VNode {
  const { messages, basePath } = viewContext;
  const { reference } = messages;
  return (
    <search data-scripted hidden>
      <div class="field">
        <label for="search">{reference.search}</label>
        <input type="search" id="search" autocomplete="off" spellcheck={false} />
      </div>
      <p role="status" class="secondary" data-matches={reference.matches} data-none={reference.noMatches}></p>
      <ul class="links" lang="en">
        {documents.flatMap(({ slug, title, sections }) =>
          sections.map((section) => (
            <li key={`${slug}#${section.id}`} hidden>
              <a href={`${basePath}/docs/${slug}#${section.id}`}>{`${title}: ${section.title}`}</a>
            </li>
          )),
        )}
      </ul>
    </search>
  );
}
