import { describe, expect, it } from '@jest/globals';
import { DocumentLinks } from '../../src/app/documentation/document-catalog.js';
import { renderMarkdown, type RenderedDocument } from '../../src/app/documentation/render-markdown.js';

const DOCUMENTS = [
  { file: 'docs/a.md', slug: 'a' },
  { file: 'docs/decisions/0001-b.md', slug: 'decisions/0001-b' },
  { file: 'CHANGELOG.md', slug: 'changelog' },
];

describe('renderMarkdown', () => {
  const links = new DocumentLinks(DOCUMENTS, ['page.png', 'parts.svg'], '/map');
  const render = (markdown: string, file = 'docs/a.md'): RenderedDocument =>
    renderMarkdown(file, `# Title\n\n${markdown}`, links);

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <b style="color: red">bold</b>',
    '<style>body { display: none }</style>',
    '`<script>`',
    '```html\n<script>alert(1)</script>\n```',
    '| <script> |\n|---|\n| <img src=x onerror=alert(1)> |',
    '[<script>](a.md)',
    '![" onerror="alert(1)](images/page.png)',
    '## <script>alert(1)</script>',
  ])('shows raw HTML as text: %s', (markdown) => {
    const { html } = render(markdown);
    expect(html).not.toMatch(/<(script|style|b)\b|<img [^>]*" (onerror|style)="/);
    expect(html).toMatch(/&lt;|&quot;/);
  });

  it.each([
    '[text](../src/main.ts)',
    '[text](unknown.md)',
    '![text](images/unknown.png)',
    '![text](page.png)',
    '[text](images/parts.mmd)',
    '[text](javascript:alert)',
  ])('shows only the text of a link to a file that is not served: %s', (markdown) => {
    expect(render(markdown).html).toBe('<p>text</p>\n');
  });

  it('rejects a document without a heading', () => {
    expect(() => renderMarkdown('docs/a.md', '## Section', links)).toThrow(
      'docs/a.md has no heading of the first level.',
    );
  });

  it.each([
    ['docs/a.md', 'a.md', '/map/docs/a'],
    ['docs/a.md', 'decisions/0001-b.md#context', '/map/docs/decisions/0001-b#context'],
    ['docs/a.md', '../CHANGELOG.md', '/map/docs/changelog'],
    ['docs/decisions/0001-b.md', '../a.md#x', '/map/docs/a#x'],
    ['docs/a.md', '#section', '#section'],
    ['docs/a.md', 'https://example.org/?a=1&b=2', 'https://example.org/?a=1&amp;b=2'],
  ])('resolves the link from %s to %s', (file, target, address) => {
    expect(render(`[text](${target})`, file).html).toBe(`<p><a href="${address}">text</a></p>\n`);
  });

  it.each([
    ['docs/a.md', 'images/page.png', 'page.png'],
    ['docs/decisions/0001-b.md', '../images/page.png', 'page.png'],
    ['docs/a.md', 'images/parts.svg', 'parts.svg'],
  ])('resolves an image from %s to %s, with its text', (file, target, name) => {
    expect(render(`![A page](${target})`, file).html).toBe(`<p><img src="/map/docs/files/${name}" alt="A page"></p>\n`);
  });

  it('returns the title and the sections, with the ids of GitHub', () => {
    const { title, html, sections } = render('## `GET`, *or* RFC 6749 §3.1?\n\n### Same\n\n### Same\n\n## Last_one');
    expect(title).toBe('Title');
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['get-or-rfc-6749-31', 'GET, or RFC 6749 §3.1?'],
      ['last_one', 'Last_one'],
    ]);
    expect(html).not.toContain('<h1');
    expect(html).toContain('<h2 id="get-or-rfc-6749-31"><code>GET</code>, <em>or</em> RFC 6749 §3.1?</h2>');
    expect([...html.matchAll(/<h3 id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['same', 'same-1']);
  });

  it('returns the text below each heading, in one line and without markup', () => {
    const { passages } = render('Intro.\n\n## A `b`\n\n[Link](a.md)s, **x** &lt; `<y>`.\n\n### C\n\n- one\n- two');
    expect(passages.map(({ depth, title, text }) => [depth, title, text])).toEqual([
      [1, 'Title', 'Intro.'],
      [2, 'A b', 'Links, x < <y>.'],
      [3, 'C', 'one two'],
    ]);
  });

  it('marks the items of a checklist without a form control', () => {
    const { html } = render('- [ ] **First**\n- other');
    expect(html).toBe('<ul>\n<li class="task"><strong>First</strong></li>\n<li>other</li>\n</ul>\n');
  });

  it('lets the keyboard scroll code and tables, each with a name of its own', () => {
    const { html } = render('```sh\nls\n```\n\n```\nok\n```\n\n| a |\n|---|\n| b |\n');
    expect([...html.matchAll(/tabindex="0" role="group" aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Example 1 (sh)',
      'Example 2',
      'Table 1',
    ]);
    expect(html).toContain('<th scope="col">a</th>');
  });
});
