import { Marked, type RendererObject, type Tokens } from 'marked';
import type { DocumentLinks } from './document-catalog.js';

/** A section of a document, with the id of its heading. */
export interface DocumentSection {
  id: string;
  title: string;
}

/** A document as HTML. */
export interface RenderedDocument {
  /** Text of the heading of the document. */
  title: string;
  /** HTML of the document without its heading. */
  html: string;
  /** Sections of the second level. */
  sections: DocumentSection[];
}

/**
 * Renders a Markdown document as HTML. Raw HTML is shown as text, so that the page needs no script
 * and no style that its Content-Security-Policy forbids. A link to a file that is not served is
 * shown as its text.
 * @param file path of the document, from which its links are relative
 * @throws Error if the document has no heading
 */
export function renderMarkdown(file: string, markdown: string, links: DocumentLinks): RenderedDocument {
  const headings: (DocumentSection & { depth: number })[] = [];
  const marked = new Marked({ renderer: createRenderer(file, links, headings) });
  const html = marked.parse(markdown, { async: false });
  const [title] = headings.filter(({ depth }) => depth === 1);
  if (!title) throw new Error(`${file} has no heading of the first level.`);
  return { title: title.title, html, sections: headings.filter(({ depth }) => depth === 2) };
}

/** @param headings receives the headings of the document */
function createRenderer(
  file: string,
  links: DocumentLinks,
  headings: (DocumentSection & { depth: number })[],
): RendererObject {
  const ids = new HeadingIds();
  let tableCount = 0;
  let exampleCount = 0;
  return {
    heading({ tokens, depth }: Tokens.Heading): string {
      const title = toPlainText(tokens);
      const id = ids.create(title);
      headings.push({ id, title, depth });
      // The layout of the page shows the title.
      return depth === 1 ? '' : `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code): string {
      const label = `Example ${++exampleCount}${lang ? ` (${lang})` : ''}`;
      return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}\n</code></pre>\n`;
    },
    table({ header, rows }: Tokens.Table): string {
      const toCell = ({ header, tokens }: Tokens.TableCell): string => {
        const content = this.parser.parseInline(tokens);
        return header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
      };
      const toRow = (cells: Tokens.TableCell[]): string => `<tr>${cells.map(toCell).join('')}</tr>`;
      const head = toRow(header);
      const body = rows.map(toRow).join('\n');
      const table = `<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table ${++tableCount}">${table}</div>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const address = links.resolve(file, href);
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      const address = links.resolve(file, href);
      return address === undefined ? escapeHtml(text) : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
    },
    listitem({ tokens, task }: Tokens.ListItem): string {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>\n`;
    },
    // The style sheet draws it, because a disabled checkbox needs a label.
    checkbox: () => '',
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  };
}

/** Returns the text of inline tokens without their markup. */
function toPlainText(tokens: Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens ? toPlainText(token.tokens) : String(token['text']))).join('');
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** Creates the ids of the headings of one document as GitHub does, so that its links work here. */
class HeadingIds {
  private readonly countsById = new Map<string, number>();

  /** Returns the id of the next heading. An id that occurs again gets a number. */
  create(heading: string): string {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-');
    const count = this.countsById.get(id) ?? 0;
    this.countsById.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }
}
