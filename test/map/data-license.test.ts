import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserClient } from '../support/browser-client.js';
import { createMarker, issueAccessToken } from '../support/factories.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const LICENSE_LINK = '<https://spdx.org/licenses/CC-BY-4.0.html>; rel="license"';
const ATTRIBUTION = '© Street & wall contributors';
const TERMS_URL = 'https://map.example.org/terms?a=1';
const LICENSE_SETTINGS = { DATA_LICENSE: 'CC-BY-4.0', ATTRIBUTION, TERMS_URL };
const MEMBERS = { license: 'CC-BY-4.0', attribution: ATTRIBUTION };
const SCOPES = ['markers:read', 'artists:read', 'collections:read', 'collections:write', 'edits:read'] as const;

const FORM = { username: 'newcomer', name: 'Neo', email: 'neo@example.org', password: 'long enough' };

/** Signs up, and returns the stored account, the page of the form and the personal export. */
async function signUp(server: TestServer): Promise<{ account: Account; html: string; exported: object }> {
  const browser = new BrowserClient(server);
  const page = await browser.get('/sign-up');
  await browser.submitForm(page, '/sign-up', FORM);
  const account = await server.entityManager.findOneByOrFail(Account, { username: FORM.username });
  const download = await browser.submitForm(await browser.get('/account/export'), '/account/export', {});
  return { account, html: page.html, exported: (JSON.parse(download.html) as { account: object }).account };
}

describe('DATA_LICENSE, ATTRIBUTION and TERMS_URL', () => {
  let server: TestServer;
  let token: string;
  let collectionId: string;

  beforeAll(async () => {
    server = await TestServer.start(LICENSE_SETTINGS);
    token = await issueAccessToken(server, [...SCOPES]);
    for (let count = 0; count < 3; count++) await createMarker(server);
    const { body } = await server.request('POST', '/api/collections', {
      token,
      body: { name: 'Foxes', visibility: 'public' },
    });
    collectionId = body.id as string;
    await server.request('POST', `/api/collections/${collectionId}/items`, {
      token,
      body: { items: [{ markerId: (await createMarker(server)).id }] },
    });
  });
  afterAll(() => server.stop());

  const get = (path: string, headers = {}): Promise<TestResponse> => server.request('GET', path, { token, headers });

  it('are linked by every response of the map', async () => {
    const collection = `/api/collections/${collectionId}`;
    for (const path of [
      '/api/markers',
      '/api/markers/changes',
      '/api/markers/clusters?bbox=-180,-90,180,90&zoom=3',
      '/api/artists',
      '/api/artists/changes',
      '/api/collections',
      collection,
      `${collection}?format=geojson`,
      '/api/markers?format=geojson',
    ]) {
      const { status, headers } = await get(path);
      expect({ path, status, link: headers.get('link') }).toEqual({ path, status: 200, link: LICENSE_LINK });
    }
    expect((await get('/api/edits/mine')).headers.get('link')).toBeNull();
  });

  it('are linked beside the next page, and in a response without a body', async () => {
    for (const path of ['/api/markers?limit=1', '/api/markers?limit=1&format=geojson']) {
      const { headers } = await get(path);
      expect(headers.get('link')).toMatch(/^<https:\/\/map\.example\.org\/api\/markers\?.*>; rel="next", </);
      expect(headers.get('link')).toContain(`rel="next", ${LICENSE_LINK}`);
    }
    const { headers } = await get('/api/artists');
    const again = await get('/api/artists', { 'If-None-Match': headers.get('etag')! });
    expect({ status: again.status, link: again.headers.get('link') }).toEqual({ status: 304, link: LICENSE_LINK });
  });

  it('are members of GeoJSON and of both feeds', async () => {
    for (const path of [
      '/api/markers?format=geojson',
      `/api/collections/${collectionId}?format=geojson`,
      '/api/markers/changes',
      '/api/artists/changes?limit=1',
    ])
      expect((await get(path)).body).toMatchObject(MEMBERS);
    expect((await get('/api/markers')).body).not.toHaveProperty('license');
  });

  it('are named by the OpenAPI document', async () => {
    const { body } = await server.request('GET', '/api/openapi.json');
    expect(body.info.license).toEqual({ name: 'CC-BY-4.0', identifier: 'CC-BY-4.0' });
    expect(body.info.termsOfService).toBe(TERMS_URL);
    await OpenApiDocument.load(server);
  });

  it('are in the footer of every page', async () => {
    for (const path of ['/', '/docs/reference', '/no-such-page']) {
      const { html } = await new BrowserClient(server).get(path);
      expect(html).toContain('© Street &amp; wall contributors');
      expect(html).toContain('<a rel="license" href="https://spdx.org/licenses/CC-BY-4.0.html">CC-BY-4.0</a>');
      expect(html).toContain(`<a href="${TERMS_URL}">Terms of use</a>`);
    }
  });

  it('are accepted by a sign-up, which stores the time', async () => {
    const before = Date.now();
    const { account, html, exported } = await signUp(server);
    expect(html).toContain('You publish your contributions under the license <a href="https://spdx.org/');
    expect(html).toContain(
      `By creating an account, you agree to these terms: <a href="${TERMS_URL}">Terms of use</a>.`,
    );
    const agreedAt = account.termsAgreedAt!.getTime();
    expect(agreedAt).toBeGreaterThanOrEqual(before);
    expect(agreedAt).toBeLessThanOrEqual(Date.now());
    expect(exported).toMatchObject({ termsAgreedAt: account.termsAgreedAt!.toISOString() });
  });
});

describe('Without DATA_LICENSE, ATTRIBUTION and TERMS_URL', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('responses, the document and pages name no license', async () => {
    const token = await issueAccessToken(server, [...SCOPES]);
    for (const path of ['/api/markers?format=geojson', '/api/markers/changes', '/api/artists']) {
      const { body, headers } = await server.request('GET', path, { token });
      expect(headers.get('link')).toBeNull();
      expect(Object.keys(body as object)).not.toContain('license');
      expect(Object.keys(body as object)).not.toContain('attribution');
    }
    const { info } = (await server.request('GET', '/api/openapi.json')).body;
    expect(info.license.name).toBe('MIT');
    expect(info).not.toHaveProperty('termsOfService');
    expect((await new BrowserClient(server).get('/')).html).not.toMatch(/Data license|Terms of use/);
  });

  it('a sign-up agrees to nothing', async () => {
    const { account, html, exported } = await signUp(server);
    expect(html).not.toMatch(/you agree|under the license/);
    expect(account.termsAgreedAt).toBeNull();
    expect(exported).toMatchObject({ termsAgreedAt: null });
  });
});

describe('The settings of the license', () => {
  it.each([
    ['DATA_LICENSE', 'CC-BY'],
    ['DATA_LICENSE', 'cc-by-4.0'],
    ['DATA_LICENSE', 'GPL-2.0'],
    ['ATTRIBUTION', 'two\nlines'],
    ['ATTRIBUTION', 'x'.repeat(201)],
    ['TERMS_URL', 'http://map.example.org/terms'],
  ])('stop the start with their rule: %s=%s', (name, value) => {
    const environment = { MASTER_SECRET: 'only the tests use this key 7391480265', [name]: value };
    expect(() => readSettings(environment)).toThrow(new RegExp(`^${name} must be `));
  });
});
