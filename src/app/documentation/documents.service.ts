import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { Settings } from '../../platform/config/settings.js';
import { type CatalogEntry, DocumentLinks, DOCUMENTS_ROOT, listDocuments, listImages } from './document-catalog.js';
import type { RenderedDocument } from './render-markdown.js';

/** A document that is ready to show. */
export interface DocumentPage extends RenderedDocument, CatalogEntry {
  /** The text before it was rendered, with links to other documents as Markdown. */
  markdown: string;
}

/**
 * The documents as HTML. The first request reads and renders all of them, so that the service
 * starts without the Markdown parser.
 */
@Injectable()
export class DocumentsService {
  private documents: Promise<DocumentPage[]> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Returns the document at a path below `/docs/`, or undefined if there is none. */
  async find(slug: string): Promise<DocumentPage | undefined> {
    return (await this.list()).find((one) => one.slug === slug);
  }

  /** Returns all documents, in the order of the navigation. */
  list(): Promise<DocumentPage[]> {
    this.documents ??= this.render().catch((error: unknown) => {
      this.documents = undefined; // The next request tries again.
      throw error;
    });
    return this.documents;
  }

  private async render(): Promise<DocumentPage[]> {
    const { renderMarkdown } = await import('./render-markdown.js');
    const entries = await listDocuments();
    const links = new DocumentLinks(entries, await listImages(), this.settings.basePath);
    return Promise.all(
      entries.map(async (entry) => {
        const text = await readFile(new URL(entry.file, DOCUMENTS_ROOT), 'utf8');
        const markdown = insertSettings(text, this.settings);
        const page = renderMarkdown(entry.file, markdown, links);
        return { ...entry, ...page, markdown: linkToMarkdown(markdown, entry.file, links) };
      }),
    );
  }
}

/** Replaces the targets of links to documents by the addresses of their Markdown. */
function linkToMarkdown(markdown: string, file: string, links: DocumentLinks): string {
  return markdown.replace(/\]\(([^()\s]+)\)/g, (link, target: string) => {
    const address = links.resolve(file, target);
    return address ? `](${address.replace(/\/docs\/(?!files\/)[^#]+/, '$&.md')})` : link;
  });
}

/** A default in a document, with its setting and a factor in a comment. */
const MARKED_DEFAULT_PATTERN = /[\d,]+<!-- (\w+)(?: × (\d))? -->/g;

/** Inserts the address of this service into commands, and its settings for marked defaults. */
function insertSettings(markdown: string, settings: Settings): string {
  const addressed = markdown.replace(/^MAP=http:.*/m, `MAP=${settings.BASE_URL}`);
  return addressed.replace(MARKED_DEFAULT_PATTERN, (_, name: keyof Settings, factor = '1') =>
    (Number(settings[name]) * Number(factor)).toLocaleString('en-US'),
  );
}
