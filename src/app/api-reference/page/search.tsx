import type { VNode } from 'preact';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { DocumentsNav } from '../../documentation/document.page.js';
import type { DocumentPage } from '../../documentation/documents.service.js';
import type { SearchResults } from '../docs-search.service.js';

interface SearchProps {
  viewContext: ViewContext;
  /** The words that the person searched for. */
  query?: string;
  results?: SearchResults[];
}

/**
 * The search for operations, parameters, errors, objects and sections of documents, with its
 * results. On the API reference, the script of the page shows them while the person types.
 */
export function Search({ viewContext, query = '', results = [] }: SearchProps): VNode {
  const { basePath, messages } = viewContext;
  const { reference, documentation } = messages;
  const count = results.reduce((sum, one) => sum + one.count, 0);
  const found = count === 0 ? reference.noMatches : interpolate(reference.matches, { count });
  const headings = { ...reference, ...documentation };
  return (
    <>
      <search>
        <form action={`${basePath}/docs`} class="search">
          <label for="search">{reference.search}</label>
          <input type="search" id="search" name="q" value={query} autocomplete="off" spellcheck={false} />
          <button type="submit">{reference.searchButton}</button>
        </form>
      </search>
      <p role="status" class="secondary" id="matches">
        {query.trim() === '' ? '' : found}
      </p>
      <div id="results">
        {results.map(({ kind, entries }) => (
          <section key={kind}>
            <h2>{headings[kind]}</h2>
            <ul class="link-list" lang="en">
              {entries.map(({ title, address, text }) => (
                <li key={address + text}>
                  <a href={`${basePath}/docs${address}`}>{title}</a>
                  <p class="secondary">{text}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

/** Renders the page with the results of a search. It needs no script. */
export function renderSearchPage(props: SearchProps, documents: DocumentPage[]): View {
  const { viewContext } = props;
  const { basePath, messages } = viewContext;
  return {
    title: messages.reference.searchTitle,
    isCacheable: true,
    body: (
      <>
        <link rel="stylesheet" href={`${basePath}/docs/files/documents.css`} />
        <link rel="stylesheet" href={`${basePath}/docs/assets/reference.css`} />
        <div class="documentation reference">
          <DocumentsNav viewContext={viewContext} documents={documents} />
          <div>
            <Search {...props} />
          </div>
        </div>
      </>
    ),
  };
}
