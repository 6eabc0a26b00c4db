import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('The API reference', () => {
  let server: TestServer;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
    browser = new BrowserClient(server);
  });
  afterAll(() => server.stop());

  const search = (query: string, language = 'en'): Promise<PageResponse> =>
    browser.get(`/docs?${new URLSearchParams({ q: query, ui_locales: language })}`);
  const listResults = async (query: string): Promise<{ kinds: string[]; links: string[] }> => {
    const [, results = ''] = (await search(query)).html.split('<div id="results">');
    return {
      kinds: [...results.matchAll(/<h2>([^<]*)/g)].map(([, kind]) => kind!),
      links: [...results.matchAll(/<li><a href="([^"]*)"/g)].map(([, link]) => link!),
    };
  };

  it('lists operations first, then parameters, errors and objects, then documents', async () => {
    const { kinds, links } = await listResults('marker');
    expect(kinds).toEqual([
      'Operations',
      'Parameters',
      'Errors',
      'Objects',
      'Build an app',
      'Run the service',
      'Security and design',
    ]);
    expect(links[0]).toBe('/docs#listMarkers');
    const isBenchmark = (link: string): boolean => link.startsWith('/docs/benchmarks');
    const isGuide = (link: string): boolean => link.startsWith('/docs/map-api');
    expect(links.findIndex(isGuide)).toBeLessThan(links.findIndex(isBenchmark));
  });

  it.each([
    ['cors', '/docs/connect#cors'],
    ['CORS', '/docs/connect#cors'],
    ['pagination', '/docs/map-api#pagination'],
    ['webhook', '/docs/map-api#webhooks'],
    ['issueTokens', '/docs#issueTokens'],
    ['code_verifier', '/docs#issueTokens'],
    ['baseVersion', '/docs#suggestEdit'],
    ['edit_conflict', '/docs/errors'],
    ['invalid_grant', '/docs/errors'],
    ['too many  words', '/docs/errors'],
    ['production checklist', '/docs/connect#production-checklist'],
  ])('finds %s', async (query, address) => {
    const { links } = await listResults(query);
    expect(links[0]).toBe(address);
  });

  it('lists only places that exist, with excerpts of their texts', async () => {
    for (const query of ['cursor', 'refresh']) {
      const { links } = await listResults(query);
      expect(links.length).toBeGreaterThanOrEqual(20);
      for (const link of new Set(links)) {
        const [path, id] = link.split('#');
        const { status, html } = await browser.get(path!);
        expect({ link, status }).toEqual({ link, status: 200 });
        if (id !== undefined) expect({ link, found: html.includes(` id="${id}"`) }).toEqual({ link, found: true });
      }
    }
    expect((await search('webhooks')).html).toMatch(/<p class="secondary">The service has no webhooks: .* …<\/p>/);
  });

  it('says that nothing was found, and shows the query as text', async () => {
    const { status, html } = await search('"><script>alert(1)</script>');
    expect(status).toBe(200);
    expect(html).toContain('Nothing was found. Try another word.');
    expect(html).not.toContain('<script>alert');
    expect((await search(' ')).html).toContain('<p role="status" class="secondary" id="matches"></p>');
    expect((await search('x '.repeat(2000))).status).toBe(200);
  });

  it('has its texts in the language of each request, and the name of the person', async () => {
    const member = await openSignedInBrowser(server, await createAccount(server, { name: 'Mila of the wall' }));
    for (const page of ['/docs', '/docs/quickstart', '/docs?q=marker']) {
      const path = (language: string): string => `${page}${page.includes('?') ? '&' : '?'}ui_locales=${language}`;
      const texts = [await browser.get(path('de')), await browser.get(path('fr')), await browser.get(path('de'))];
      expect(texts.map(({ html }) => html.match(/Eine App entwickeln|Développer une application/)?.[0])).toEqual([
        'Eine App entwickeln',
        'Développer une application',
        'Eine App entwickeln',
      ]);
      const own = await member.get(path('de'));
      expect(own.html).toContain('Mila of the wall');
      expect(own.headers.get('etag')).not.toBe(texts[0]!.headers.get('etag'));
      const other = await browser.get(path('de'));
      expect(other.html).not.toContain('Mila of the wall');
      expect(other.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(other.html).toMatch(/^<!doctype html>.*<\/main>.*<\/html>$/s);
    }
  });

  it('names the client secret in the button that shows it, in five languages', async () => {
    const labels = await Promise.all(
      ['en', 'de', 'es', 'fr', 'pt'].map(async (language) => {
        const { html } = await browser.get(`/docs?ui_locales=${language}`);
        return [...html.matchAll(/data-(?:show|hide)="([^"]*)"[^>]*\/>/g)].map(([, label]) => label);
      }),
    );
    expect(labels.flat()).toHaveLength(5);
    for (const [label] of labels) expect(label).toMatch(/client|cliente/i);
  });
});
