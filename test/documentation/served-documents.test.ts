import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { BrowserClient } from '../support/browser-client.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';
import { listDocuments } from './documents.js';

/** Documents outside the folder `docs`, and their paths below `/docs/`. */
const OTHER_SLUGS: Record<string, string> = {
  'bench/README.md': 'benchmarks',
  'examples/mural-walk/README.md': 'example-app',
  'examples/pocket-map/README.md': 'browser-example',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security-policy',
};

/** Returns the paths of the pages of all documents. README.md stands on the front page only. */
async function listPages(): Promise<string[]> {
  const files = (await listDocuments()).filter((file) => file !== 'README.md');
  return files.map((file) => {
    const slug = OTHER_SLUGS[file] ?? file.replace(/^docs\/(.*)\.md$/, '$1').replace(/\/README$/, '');
    return `/docs/${slug}`;
  });
}

describe.each([
  ['without a path', 'https://map.example.org', ''],
  ['with a path', 'https://map.example.org/street/art', '/street/art'],
])('The documents at a BASE_URL %s', (_, baseUrl, basePath) => {
  let server: TestServer;
  let browser: BrowserClient;
  let pages: string[];

  beforeAll(async () => {
    server = await TestServer.start({ BASE_URL: baseUrl });
    browser = new BrowserClient(server);
    pages = await listPages();
  });
  afterAll(() => server.stop());

  it.each([
    '/docs/nowhere',
    '/docs/Quickstart',
    '/docs/nowhere.md',
    '/docs/Quickstart.md',
    '/docs/decisions/nowhere.md',
    '/docs/..%2FCHANGELOG.md',
    '/docs/decisions/nowhere',
    '/docs/decisions/README',
    '/docs/..%2FCHANGELOG',
    '/docs/files/nowhere.png',
    '/docs/files/parts.mmd',
    '/docs/files/quickstart.md',
    '/docs/files/..%2Fpackage.json',
    '/docs/constructor',
  ])('respond to %s with a page and 404', async (path) => {
    const { status, html, headers } = await browser.get(basePath + path);
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 404, cache: 'no-store' });
    expect(html).toContain('This page does not exist.');
  });

  it('are pages with their title, their sections, and the navigation', async () => {
    expect(pages.length).toBeGreaterThan(30);
    for (const path of pages) {
      const { status, html } = await browser.get(basePath + path);
      expect({ path, status }).toEqual({ path, status: 200 });
      const [, title] = /<h1 lang="en">([^<]+)<\/h1>/.exec(html)!;
      expect(html).toContain(`<title>${title} · Street art map</title>`);
      expect(html).toContain('<article lang="en">');
      const current = [...html.matchAll(/<a [^>]*href="([^"]*)" aria-current="(\w+)"/g)].map(([, ...found]) => found);
      expect({ path, open: html.match(/<details open/g) }).toEqual({ path, open: ['<details open'] });
      const expected = path.startsWith('/docs/decisions/') ? ['/docs/decisions', 'true'] : [path, 'page'];
      expect({ path, current }).toEqual({ path, current: [[basePath + expected[0]!, expected[1]]] });
    }
  });

  it('are grouped by the task of their readers, also in llms.txt', async () => {
    const { html } = await browser.get(`${basePath}/docs/runbook`);
    const groups = [...html.matchAll(/<details( open)?><summary>([^<]*)<\/summary>(.*?)<\/details>/g)];
    expect(groups.map(([, open, name]) => [name, open])).toEqual([
      ['Build an app', undefined],
      ['Run the service', ' open'],
      ['Security and design', undefined],
    ]);
    const list = (await browser.get(`${basePath}/llms.txt`)).html.split(/^## /m).slice(1);
    for (const [index, [, , name, links]] of groups.entries()) {
      const listed = [...list[index]!.matchAll(/\((\S+)\.md\)/g)].map(([, address]) => new URL(address!).pathname);
      expect({ name, listed }).toEqual({ name: list[index]!.split('\n')[0], listed: listLinks(links!) });
    }
    expect(groups.map(([, , , links]) => listLinks(links!)[0])).toEqual(
      ['quickstart', 'install', 'security'].map((slug) => `${basePath}/docs/${slug}`),
    );
  });

  it.each(['quickstart', 'connect'])('contain the address of the service in the commands of %s', async (name) => {
    for (const path of [name, `${name}.md`])
      expect((await browser.get(`${basePath}/docs/${path}`)).html).toContain(`MAP=${baseUrl}\n`);
  });

  it('are all reached from the API reference', async () => {
    const { html } = await browser.get(`${basePath}/docs`);
    const linked = listLinks(html);
    expect(linked).toEqual(expect.arrayContaining(pages.filter((page) => !/\/\d/.test(page)).map((p) => basePath + p)));
    const records = listLinks((await browser.get(`${basePath}/docs/decisions`)).html);
    expect(records).toEqual(expect.arrayContaining(pages.filter((page) => /\/\d/.test(page)).map((p) => basePath + p)));
    expect(html).toContain(`<a href="${basePath}/docs" aria-current="page">API reference</a>`);
  });

  it('link only to pages, headings and images that exist', async () => {
    const htmlByPath = new Map<string, string>();
    const fetchPage = async (path: string): Promise<string> => {
      if (!htmlByPath.has(path)) {
        const { status, html } = await browser.get(path);
        expect({ path, status }).toEqual({ path, status: 200 });
        htmlByPath.set(path, html);
      }
      return htmlByPath.get(path)!;
    };
    let followed = 0;
    for (const page of pages) {
      for (const target of listLinks(await fetchPage(basePath + page))) {
        if (/^https:\/\//.test(target)) continue;
        const [path, anchor] = target.split('#');
        const html = await fetchPage(path === '' ? basePath + page : path!);
        if (anchor !== undefined)
          expect({ page, target, ids: listIds(html) }).toEqual({ page, target, ids: expect.arrayContaining([anchor]) });
        followed++;
      }
    }
    expect(followed).toBeGreaterThan(500);
  });

  it('are also Markdown, which links to Markdown, and are listed in llms.txt', async () => {
    const list = await browser.get(`${basePath}/llms.txt`);
    expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    let followed = 0;
    for (const page of pages) {
      const { status, html: text, headers } = await browser.get(`${basePath}${page}.md`);
      expect({ page, status }).toEqual({ page, status: 200 });
      expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(text).toMatch(/^# \S/);
      if (!/\/\d/.test(page)) expect(list.html).toContain(`(${baseUrl}${page}.md)`);
      for (const [, target] of text.matchAll(/\]\((\/[^)#]+)/g)) {
        expect({ page, target, status: (await browser.get(target!)).status }).toEqual({ page, target, status: 200 });
        followed++;
      }
    }
    expect(followed).toBeGreaterThan(100);
  });

  it('have unique ids and no link to a Markdown file or to another server by http', async () => {
    for (const page of pages) {
      const { html } = await browser.get(basePath + page);
      const ids = listIds(html);
      expect({ page, ids }).toEqual({ page, ids: [...new Set(ids)] });
      expect({ page, raw: listLinks(html).filter((link) => /^http:|\.md(#|$)/.test(link)) }).toEqual({ page, raw: [] });
    }
  });

  it('show their images', async () => {
    const { html } = await browser.get(`${basePath}/docs/connect`);
    const images = [...html.matchAll(/<article.*/gs)].flatMap(([article]) => [
      ...article.matchAll(/<img src="([^"]*)"/g),
    ]);
    expect(images.length).toBeGreaterThanOrEqual(2);
    for (const [, path] of images) {
      const { status, headers } = await browser.get(path!);
      expect({ path, status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
        path,
        status: 200,
        type: path!.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
        cache: 'public, max-age=3600',
      });
    }
  });

  it('are revalidated by an entity tag that depends on the language', async () => {
    const [english, german] = await Promise.all(
      ['en', 'de'].map(async (language) => browser.get(`${basePath}/docs/reference?ui_locales=${language}`)),
    );
    expect(english!.headers.get('cache-control')).toBe('private, no-cache');
    const tag = english!.headers.get('etag')!;
    expect(german!.headers.get('etag')).not.toBe(tag);
    const statusOf = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        get(server.url + basePath + path, { headers: { 'If-None-Match': tag } }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        }).once('error', reject);
      });
    expect(await statusOf('/docs/reference?ui_locales=en')).toBe(304);
    expect(await statusOf('/docs/reference?ui_locales=de')).toBe(200);
  });

  it('stay English on a page in another language', async () => {
    const { html } = await browser.get(`${basePath}/docs/security?ui_locales=fr`);
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('aria-label="Documentation"');
    expect(html).toContain('<p id="contents">Sommaire</p>');
    expect(html).toContain('<h1 lang="en">Security</h1>');
  });
});

describe('The documents of the build', () => {
  it('are served from any working directory', async () => {
    const folder = await createTempFolder();
    const server = await ServerProcess.start(folder.path);
    for (const path of await listPages()) {
      const { status } = await fetch(server.url + path);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    for (const name of ['consent.png', 'authorization.svg'])
      expect({ name, status: (await fetch(`${server.url}/docs/files/${name}`)).status }).toEqual({ name, status: 200 });
    await server.stop();
    await folder.remove();
  });

  it('are part of the Docker image', async () => {
    const included = [...(await readFile('.dockerignore', 'utf8')).matchAll(/^!(.*)$/gm)].map(([, path]) => path!);
    const missing = (await listDocuments())
      .filter((file) => file !== 'README.md')
      .filter((file) => !included.some((path) => file === path || file.startsWith(`${path}/`)));
    expect(missing).toEqual([]);
  });
});

function listLinks(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, target]) => target!.replaceAll('&amp;', '&'));
}

function listIds(html: string): string[] {
  return [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
}
