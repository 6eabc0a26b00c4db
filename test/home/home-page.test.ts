import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { BrowserClient } from '../support/browser-client.js';
import { DemoServer } from '../support/demo-server.js';
import { createAccount, createArtist, createMarker, issueTokens, registerApp } from '../support/factories.js';
import { authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { TestServer } from '../support/test-server.js';

const DAY_MS = 24 * 3600_000;

describe('The home page of a map', () => {
  let demo: DemoServer;
  let html: string;

  beforeAll(async () => {
    demo = await DemoServer.start();
    ({ html } = await new BrowserClient(demo.server).get('/'));
  });
  afterAll(() => demo.server.stop());

  it('shows how many artworks, cities and artists the map has', () => {
    expect(html).toContain('60 artworks in 4 cities by 18 artists');
  });

  it('names the newest artworks with their artists', () => {
    expect(html).toContain('<strong>Letterbox with Opinions</strong> <span class="secondary">Noor van Nergens</span>');
    expect(html.match(/<strong>[^<]*<\/strong> <span class="secondary">/g)).toHaveLength(6);
  });

  it('lists the apps that the operator approved, with a link to each', () => {
    expect(html).toContain('href="https://wallwalker.example/"');
    expect(html).not.toContain('ReviewDesk');
  });

  it('has a text alternative with the regions of the picture', () => {
    const [, alt] = /<img src="\/map\.svg" alt="([^"]*)"/.exec(html)!;
    expect(alt).toBe(
      'Map of the artworks and places: Halvenstad 28, Null Harbour 18, Tavu Point 15, and Nordlys Bay 10',
    );
  });

  it.each(['/map.svg', '/map-narrow.svg'])('has the picture %s, which caches store for 5 minutes', async (path) => {
    const response = await fetch(demo.server.url + path);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    const svg = await response.text();
    expect(Buffer.byteLength(svg)).toBeLessThan(40_000);
    for (const name of ['Halvenstad', 'Null Harbour', 'Tavu Point', 'Nordlys Bay']) expect(svg).toContain(name);
    expect(svg).not.toMatch(/NaN|Infinity|script|style=/);
    const dots = [...svg.matchAll(/<circle cx="([\d.-]+)" cy="([\d.-]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(dots.length).toBeGreaterThan(20);
    expect(dots.filter(([x, y]) => x! < 0 || x! > 600 || y! < 0 || y! > 260)).toEqual([]);
  });

  it('works in each language', async () => {
    for (const [language, text] of Object.entries({
      de: '60 Kunstwerke in 4 Städten von 18 Künstler:innen',
      es: '60 obras en 4 ciudades de 18 artistas',
      fr: '60 œuvres dans 4 villes par 18 artistes',
      pt: '60 obras em 4 cidades de 18 artistas',
    }))
      expect((await new BrowserClient(demo.server).get(`/?ui_locales=${language}`)).html).toContain(text);
  });
});

describe('The home page', () => {
  let server: TestServer;
  let account: Account;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server, { emailVerified: true });
    browser = await openSignedInBrowser(server, account);
  });
  const readNews = async (): Promise<string> =>
    /<section class="card" aria-labelledby="attention">.*?<\/section>/s.exec((await browser.get('/')).html)?.[0] ?? '';

  it('of an empty map has the mural, and shows the first artwork at once', async () => {
    const empty = await browser.get('/');
    expect(empty.html).toContain('/assets/mural.svg');
    expect(empty.html).not.toContain('0 artworks');
    expect(await (await fetch(`${server.url}/map.svg`)).text()).not.toMatch(/NaN|Infinity/);
    const artist = await createArtist(server, 'Ansa Kettu');
    await createMarker(server, { title: 'Sun & <b>moon</b>', artistIds: [artist.id] });
    const { html } = await browser.get('/');
    expect(html).toContain('1 artwork by 1 artist');
    expect(html).toContain('<strong>Sun &amp; &lt;b>moon&lt;/b></strong>');
    expect(html).toContain('src="/map.svg"');
  });

  it('shows no news to a guest, or if there are none', async () => {
    expect(await readNews()).toBe('');
    expect((await new BrowserClient(server).get('/')).html).not.toContain('New for you');
  });

  it('names an app that was connected in the last 7 days, and no older one', async () => {
    const app = await registerApp(server);
    await authorizeApp(server, app, browser, { scope: 'openid' });
    expect(await readNews()).toContain(`${app.app.name} was connected to your account: <time`);
    await server
      .get(TransactionService)
      .run((tx) => tx.update(Consent, { appId: app.app.id }, { createdAt: new Date(Date.now() - 8 * DAY_MS) }));
    expect(await readNews()).toBe('');
  });

  it('counts the failed calls of own apps only', async () => {
    const [own, other] = [await registerApp(server, { ownerId: account.id }), await registerApp(server)];
    for (const { app } of [own, own, other]) {
      const failure = { endpoint: 'GET /api/edits/mine', errorCode: 'insufficient_scope', reason: 'Scope.' };
      server.get(FailedCallsService).record(app.id, failure);
    }
    const news = await readNews();
    expect(news).toContain(`<a href="/developer/apps/${own.app.id}">${own.app.name}: 2 failed API calls</a>`);
    expect(news).not.toContain(other.app.name);
  });

  it('names suggestions that were decided in the last 7 days, and no open or older ones', async () => {
    const { access_token: token } = await issueTokens(server, { app: (await registerApp(server)).app, account });
    const moderator = await createAccount(server, { role: 'moderator' });
    const reviewer = await issueTokens(server, { app: (await registerApp(server)).app, account: moderator });
    const marker = await createMarker(server, { title: 'Echo Wall' });
    const suggest = async (title: string): Promise<string> => {
      const body = { type: 'update', targetType: 'artwork', targetId: marker.id, baseVersion: 1, changes: { title } };
      return (await server.request('POST', '/api/edits', { token, body })).body.id as string;
    };
    const [id] = [await suggest('Echoes'), await suggest('Still open')];
    expect(await readNews()).toBe('');
    const decision = { token: reviewer.access_token, body: { comment: 'No such name.' } };
    await server.request('POST', `/api/edits/${id}/reject`, decision);
    expect(await readNews()).toContain(
      `<a href="/account/edits/${id}">Your suggestion was rejected: Echo Wall</a></li></ul>`,
    );
    await server
      .get(TransactionService)
      .run((tx) => tx.update(Edit, { id }, { decidedAt: new Date(Date.now() - 8 * DAY_MS) }));
    expect(await readNews()).toBe('');
  });
});
