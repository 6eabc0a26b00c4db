import { Injectable } from '@nestjs/common';
import { type DocumentPage, DocumentsService } from '../documentation/documents.service.js';
import { REFERENCE_API } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';
import { listErrors, listInputs, listOperations, type ReferenceDocument } from './page/reference-document.js';
import { getObjectId } from './page/schema-view.js';

/** Words of a query that count, and results of each kind that are shown. */
const MAX_WORDS = 10;
const MAX_RESULTS = 20;

/** Characters of an excerpt, and of its part before the first word that matches. */
const EXCERPT_LENGTH = 160;
const EXCERPT_LEAD = 40;

/** Kinds of entries, in the order of the results. The last three are groups of documents. */
const KINDS = ['operations', 'parameters', 'errors', 'objects', 'buildApp', 'runService', 'securityAndDesign'] as const;

/** A place that the search can find. */
interface SearchEntry {
  kind: (typeof KINDS)[number];
  title: string;
  /** Address below `/docs`, with its anchor. */
  address: string;
  text: string;
  /** Title and text in lower case. */
  searchText: string;
}

/** The results of one kind, the best first. */
export interface SearchResults {
  kind: SearchEntry['kind'];
  /** Number of matching entries, including those that are not shown. */
  count: number;
  /** The shown entries, each with an excerpt of its text. */
  entries: SearchEntry[];
}

/** The full-text search over the API reference and the documents. */
@Injectable()
export class DocsSearchService {
  private entries: SearchEntry[] | undefined;

  constructor(
    private readonly openApi: OpenApiService,
    private readonly documents: DocumentsService,
  ) {}

  /** Finds the entries that contain every word of the query. Words in titles count more. */
  async find(query: string): Promise<SearchResults[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    const { document } = await this.openApi.getReference(REFERENCE_API);
    const documents = await this.documents.list();
    this.entries ??= removeDuplicates([...listReferenceEntries(document), ...documents.flatMap(listPassages)]);
    const countInTitle = ({ title }: SearchEntry): number =>
      words.filter((word) => title.toLowerCase().includes(word)).length;
    const matches = this.entries
      .filter(({ searchText }) => words.every((word) => searchText.includes(word)))
      .sort((one, other) => countInTitle(other) - countInTitle(one));
    return KINDS.map((kind) => {
      const ofKind = matches.filter((entry) => entry.kind === kind);
      const shown = ofKind.slice(0, MAX_RESULTS);
      const entries = shown.map((entry) => ({ ...entry, text: toExcerpt(entry.text, words) }));
      return { kind, count: ofKind.length, entries };
    }).filter(({ count }) => count > 0);
  }
}

/** Returns the part of a text around the first of the words in it. */
function toExcerpt(text: string, words: string[]): string {
  const positions = words.map((word) => text.toLowerCase().indexOf(word)).filter((position) => position >= 0);
  const first = positions.length > 0 ? Math.min(...positions) : 0;
  const start = Math.max(0, first - EXCERPT_LEAD);
  const end = start + EXCERPT_LENGTH;
  const before = start > 0 ? text.slice(start, first).replace(/^\S*/, '…') : text.slice(0, first);
  const after = end < text.length ? text.slice(first, end).replace(/\S*$/, '…') : text.slice(first);
  return before + after;
}

function listReferenceEntries(document: ReferenceDocument): SearchEntry[] {
  const operations = listOperations(document);
  return [
    ...operations.map(({ method, path, operationId, summary, description }) =>
      createEntry('operations', `${method} ${path}`, `#${operationId}`, `${summary}. ${description} ${operationId}`),
    ),
    ...operations.flatMap((operation) =>
      listInputs(document, operation).map(({ name, description }) =>
        createEntry('parameters', name, `#${operation.operationId}`, description),
      ),
    ),
    ...operations.flatMap((operation) =>
      listErrors(document, operation).map(({ status, error, code, reason, error_description: description }) => {
        const title = [status, description === undefined ? code : error, reason].filter(Boolean).join(' ');
        return createEntry('errors', title, '/errors', description ?? error);
      }),
    ),
    ...Object.entries(document.components.schemas).map(([name, { description, properties = {} }]) =>
      createEntry(
        'objects',
        name,
        `#${getObjectId(name)}`,
        `${description ?? ''} ${Object.keys(properties).join(', ')}`,
      ),
    ),
  ];
}

function listPassages({ slug, title, group = 'securityAndDesign', passages }: DocumentPage): SearchEntry[] {
  return passages.map(({ id, title: heading, depth, text }) =>
    depth === 1
      ? createEntry(group, title, `/${slug}`, text)
      : createEntry(group, `${title}: ${heading}`, `/${slug}#${id}`, text),
  );
}

function createEntry(kind: SearchEntry['kind'], title: string, address: string, source: string): SearchEntry {
  const text = source.replaceAll('`', '').replace(/\s+/g, ' ');
  return { kind, title, address, text, searchText: `${title} ${text}`.toLowerCase() };
}

/** Leaves out an entry that differs from an earlier one only in its address. */
function removeDuplicates(entries: SearchEntry[]): SearchEntry[] {
  const byContent = new Map(entries.toReversed().map((entry) => [`${entry.kind} ${entry.searchText}`, entry]));
  return [...byContent.values()].reverse();
}
