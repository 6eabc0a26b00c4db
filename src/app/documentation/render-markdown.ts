import { Marked, type RendererObject, type Tokens } from 'marked';
import type { DocumentLinks } from './document-catalog.js';

/** A section of a document, with the id of its heading. */
export interface DocumentSection {
  id: string;
  title: string;
}

/** The text below a heading of any level, without markup. */
export interface DocumentPassage extends DocumentSection {
  depth: number;
  text: string;
}

/** A document as HTML. */
export interface RenderedDocument {
  /** Text of the heading of the document. */
  title: string;
  /** HTML of the document without its heading. */
  html: string;
  /** Sections of the second level. */
  sections: DocumentSection[];
  /** The whole text, in its order; the first passage is below the title. */
  passages: DocumentPassage[];
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
  const [title] = headings;
  if (title?.depth !== 1) throw new Error(`${file} has no heading of the first level.`);
  const texts = html.split(/<h[2-6] .*<\/h[2-6]>/).map(toText);
  const passages = headings.map((heading, index) => ({ ...heading, text: texts[index]! }));
  return { title: title.title, html, sections: headings.filter(({ depth }) => depth === 2), passages };
}

/** Returns the text of HTML in one line. */
function toText(html: string): string {
  const text = html.replace(/<\/?(a|code|em|strong)\b[^>]*>/g, '').replace(/<[^>]+>/g, ' ');
  const unescaped = text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS_BY_ENTITY[entity]!);
  return unescaped.replace(/\s+/g, ' ').trim();
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

const ENTITIES_BY_CHARACTER = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const CHARACTERS_BY_ENTITY = Object.fromEntries(
  Object.entries(ENTITIES_BY_CHARACTER).map(([character, entity]) => [entity, character]),
);

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES_BY_CHARACTER[character as '&']);
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
