import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserClient } from '../support/browser-client.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createAccount, createMarker } from '../support/factories.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';

describe('The page of a collection', () => {
  let fixture: CollectionsFixture;
  let guest: BrowserClient;
  let path: string;

  beforeAll(async () => {
    fixture = await CollectionsFixture.start();
    guest = new BrowserClient(fixture.server);
  });
  afterAll(() => fixture.server.stop());
  beforeEach(async () => {
    await fixture.createOwner();
    path = `/collections/${fixture.collectionId}`;
    const marker = await createMarker(fixture.server, { title: 'Owl & <i>moon</i>' });
    await fixture.addItems([marker.id]);
  });

  it('shows title, owner, artworks and a map with a text alternative to everyone', async () => {
    await fixture.publish();
    const { status, html } = await guest.get(path);
    expect(status).toBe(200);
    expect(html).toContain('<h1>Foxes</h1>');
    expect(html).toContain(`A collection by ${fixture.owner.username}`);
    expect(html).toContain('Owl &amp; &lt;i>moon&lt;/i>');
    expect(html).toMatch(/<svg class="dot-map" role="img" aria-label="Map of the artworks of Foxes"/);
    expect(html.match(/<circle/g)).toHaveLength(1);
    expect(html).toContain('Open in an app');
  });

  it('has no map without artworks', async () => {
    const { body } = await fixture.post('', { name: 'Nothing yet', visibility: 'public' });
    const { html } = await guest.get(`/collections/${body.id}`);
    expect(html).toContain('No artworks.');
    expect(html).not.toContain('<svg');
  });

  it('is not found if the collection is private, except by its owner', async () => {
    expect((await guest.get(path)).status).toBe(404);
    const [owner, stranger] = [
      await openSignedInBrowser(fixture.server, fixture.owner),
      await openSignedInBrowser(fixture.server, await createAccount(fixture.server)),
    ];
    expect((await stranger.get(path)).status).toBe(404);
    const { status, html } = await owner.get(path);
    expect(status).toBe(200);
    expect(html).toContain('Only you can see this collection.');
  });

  it.each(['col_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '%00'])('is not found with the id %s', async (id) => {
    expect((await guest.get(`/collections/${id}`)).status).toBe(404);
  });

  it('lists 100 artworks, and the rest on the next page', async () => {
    await fixture.publish();
    for (let batch = 0; batch < 2; batch++) {
      const markers = [];
      for (let count = 0; count < 50; count++) markers.push((await createMarker(fixture.server)).id);
      await fixture.addItems(markers);
    }
    const { html } = await guest.get(path);
    expect(html.match(/<li>Work/g)).toHaveLength(99);
    const [, next] = /rel="next" href="([^"]*)"/.exec(html)!;
    expect((await guest.get(next!)).html.match(/<li>Work/g)).toHaveLength(1);
  });

  describe('is where the address of the API leads', () => {
    const read = (headers: Record<string, string>, query = ''): Promise<Response> =>
      fetch(`${fixture.server.url}/api${path}${query}`, { redirect: 'manual', headers });
    const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

    beforeEach(() => fixture.publish());

    it('a browser', async () => {
      const response = await read({ accept: BROWSER_ACCEPT }, '?limit=5');
      expect([response.status, response.headers.get('location')]).toEqual([303, `${path}?limit=5`]);
      expect(response.headers.get('vary')).toContain('Accept');
      expect((await guest.get(path)).status).toBe(200);
    });

    it.each<[client: string, headers: Record<string, string>]>([
      ['curl', { accept: '*/*' }],
      ['axios', { accept: 'application/json, text/plain, */*' }],
      ['an app that prefers JSON', { accept: 'application/json, text/html;q=0.5' }],
      ['an app that accepts JSON and HTML alike', { accept: 'application/json, text/html' }],
      ['HttpURLConnection', { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }],
      ['an app for GeoJSON', { accept: 'application/geo+json' }],
    ])('but not %s', async (_, headers) => {
      const response = await read(headers);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/json/);
    });

    it('but not an app with a token or a format, even if it accepts HTML', async () => {
      const headers = { accept: BROWSER_ACCEPT, authorization: `Bearer ${fixture.ownerToken}` };
      expect((await read(headers)).status).toBe(200);
      expect((await read({ accept: BROWSER_ACCEPT, authorization: 'Bearer wrong' })).status).toBe(401);
      expect((await read({ accept: BROWSER_ACCEPT }, '?format=geojson')).status).toBe(200);
    });

    it('but not a write', async () => {
      const init = { method: 'POST', redirect: 'manual', headers: { accept: BROWSER_ACCEPT } } as const;
      expect((await fetch(`${fixture.server.url}/api${path}`, init)).status).toBe(401);
    });
  });
});
