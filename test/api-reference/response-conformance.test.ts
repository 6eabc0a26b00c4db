import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { AppsStore } from '../../src/identity/clients/apps.store.js';
import { buildDemoId } from '../../src/app/demo/demo-id.js';
import { type DemoCredentials, DemoService } from '../../src/app/demo/demo.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { ALL_SCOPES, issueTokens } from '../support/factories.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { type TestResponse, type RequestOptions, TestServer } from '../support/test-server.js';

const MARKER_ID = buildDemoId('mrk', 10);
const DELETED_MARKER_ID = buildDemoId('mrk', 60);
const ARTIST_ID = buildDemoId('art', 4);
const PUBLIC_COLLECTION_ID = buildDemoId('col', 1);
const UNKNOWN_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

interface OperationRequest extends RequestOptions {
  path?: Record<string, string>;
  query?: string;
}

describe('What the service answers', () => {
  let server: TestServer;
  let reference: OpenApiDocument;
  let demo: DemoCredentials;
  let mila: string;
  let ines: string;
  /** What each operation was seen to answer. */
  const seen = new Set<string>();

  beforeAll(async () => {
    server = await TestServer.start();
    demo = (await server.get(DemoService).load())!;
    reference = await OpenApiDocument.load(server);
    mila = await tokenOf('mila');
    ines = await tokenOf('ines');
  });
  afterAll(() => server.stop());

  async function tokenOf(username: string, scopes: Scope[] = ALL_SCOPES): Promise<string> {
    return (await tokensOf(username, scopes)).access_token;
  }

  async function tokensOf(username: string, scopes: Scope[] = ALL_SCOPES): ReturnType<typeof issueTokens> {
    const account = (await server.get(AccountsStore).findByLogin(username))!;
    const app = (await server.get(AppsStore).find(demo.apps[0]!.client_id))!;
    return issueTokens(server, { app, account, scopes });
  }

  const credentials = (): object => {
    const { client_id, client_secret } = demo.apps[0]!;
    return { client_id, client_secret };
  };

  /** Calls an operation, and checks that what it answers is what the document says. */
  async function ask(
    status: number,
    id: string,
    { path = {}, query = '', ...given }: OperationRequest = {},
  ): Promise<TestResponse> {
    const operation = reference.findOperation(id);
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name]!) + query;
    const answer = await server.request(operation.method, address, given);
    const undocumented = reference.validateResponse(operation, answer);
    expect({ id, address, status: answer.status, undocumented }).toEqual({ id, address, status, undocumented: [] });
    seen.add(`${id} ${status}`);
    return answer;
  }

  it('about markers is as documented', async () => {
    const token = mila;
    const { headers } = await ask(200, 'listMarkers', { token, query: '?limit=3' });
    await ask(304, 'listMarkers', { token, query: '?limit=3', headers: { 'If-None-Match': headers.get('etag')! } });
    await ask(200, 'listMarkers', { token, query: '?lat=52.0956&lon=5.0184&radius=500' });
    await ask(200, 'listMarkers', { token, query: `?ids=${MARKER_ID},mrk_unknown` });
    await ask(200, 'listMarkers', { token, query: '?q=fox&count=true&kind=artwork,place' });
    await ask(200, 'listMarkers', { token, query: '?bbox=179.9,-16.9,-179.9,-16.7&format=geojson&limit=1&count=true' });
    await ask(200, 'listMarkers', { token, query: `?ids=${MARKER_ID},mrk_unknown&format=geojson` });
    await ask(400, 'listMarkers', { token, query: '?limit=501' });
    await ask(400, 'listMarkers', { token, query: '?cursor=x' });
    await ask(400, 'listMarkers', { token, query: '?lat=1' });
    await ask(200, 'getMarker', { token, path: { id: MARKER_ID } });
    await ask(410, 'getMarker', { token, path: { id: DELETED_MARKER_ID } });
    await ask(404, 'getMarker', { token, path: { id: `mrk_${UNKNOWN_ULID}` } });
    await ask(400, 'getMarker', { token, path: { id: '%E0' } });
    await ask(200, 'listMarkerVersions', { token, path: { id: MARKER_ID } });
    await ask(410, 'listMarkerVersions', { token, path: { id: DELETED_MARKER_ID } });
  });

  it('about artists is as documented', async () => {
    const token = mila;
    await ask(200, 'listArtists', { token });
    await ask(200, 'listArtists', { token, query: `?ids=${ARTIST_ID},art_unknown` });
    await ask(200, 'getArtist', { token, path: { id: ARTIST_ID } });
    await ask(200, 'listArtistVersions', { token, path: { id: ARTIST_ID } });
    await ask(200, 'listArtworksOfArtist', { token, path: { id: ARTIST_ID } });
    await ask(200, 'listArtworksOfArtist', { token, path: { id: ARTIST_ID }, query: '?format=geojson' });
    for (const id of ['getArtist', 'listArtistVersions', 'listArtworksOfArtist'])
      await ask(404, id, { token, path: { id: `art_${UNKNOWN_ULID}` } });
  });

  it('about collections is as documented', async () => {
    const token = mila;
    await ask(200, 'listCollections', { token });
    await ask(200, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID } });
    await ask(200, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID }, query: '?format=geojson&limit=1' });
    await ask(401, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID }, token: 'stale' });
    await ask(404, 'getCollection', { path: { id: `col_${UNKNOWN_ULID}` } });

    const made = await ask(201, 'createCollection', { token, body: { name: 'Doors' } });
    await ask(201, 'createCollection', {
      token: await tokenOf('mila', ['collections:write']),
      body: { name: 'Gates' },
    });
    await ask(403, 'createCollection', { token: await tokenOf('gus'), body: { name: 'Doors' } });
    const path = { id: made.body.id as string, markerId: MARKER_ID };
    await ask(200, 'addToCollection', {
      token,
      path,
      body: { items: [{ markerId: MARKER_ID }, { markerId: 'mrk_nowhere' }] },
    });
    const { data: places } = (await server.request('GET', '/api/markers?kind=place&limit=1', { token })).body;
    await ask(422, 'addToCollection', { token, path, body: { items: [{ markerId: places[0].id }] } });
    await ask(200, 'getCollection', { token, path });
    await ask(412, 'changeCollection', { token, path, body: { name: 'x' }, headers: { 'If-Match': '"old"' } });
    await ask(200, 'changeCollection', { token, path, body: { visibility: 'public' } });
    await ask(403, 'changeCollection', { token: ines, path, body: { name: 'Mine' } });
    await ask(413, 'changeCollection', { token, path, body: { name: 'x'.repeat(70_000) } });
    await ask(415, 'changeCollection', { token, path, body: 'x', headers: { 'Content-Type': 'text/plain' } });
    await ask(204, 'removeArtworkFromCollection', { token, path });
    await ask(204, 'removeFromCollection', { token, path, query: `?markerIds=${MARKER_ID},${DELETED_MARKER_ID}` });
    await ask(400, 'removeFromCollection', { token, path });
    await ask(204, 'deleteCollection', { token, path });
    await ask(404, 'deleteCollection', { token, path });
  });

  it('about edits is as documented', async () => {
    const token = mila;
    await ask(200, 'listMyEdits', { token });
    await ask(200, 'listMyEdits', { token: ines, query: '?status=open,accepted&sort=updatedAt' });
    await ask(200, 'getEdit', { token, path: { id: buildDemoId('edt', 9) } });
    await ask(404, 'getEdit', { token, path: { id: `edt_${UNKNOWN_ULID}` } });
    const include = ['target', 'permissions'];
    await ask(200, 'viewEdits', { token, body: { ids: [buildDemoId('edt', 9), 'edt_unknown'], include } });
    await ask(200, 'viewEdits', { token: ines, body: { filter: { which: 'reviewable' }, include, limit: 100 } });
    await ask(400, 'viewEdits', { token, body: {} });
    await ask(403, 'viewEdits', {
      token: await tokenOf('ines', ['edits:read']),
      body: { filter: { which: 'reviewable' } },
    });
    const items = [
      { editId: buildDemoId('edt', 9) },
      { editId: 'edt_unknown' },
      { targetType: 'artwork', targetId: MARKER_ID },
      { targetType: 'artist', type: 'create' },
    ];
    await ask(200, 'evaluatePermissions', { token, body: { items } });
    await ask(200, 'evaluatePermissions', { token: await tokenOf('ines', ['edits:write']), body: { items } });
    await ask(400, 'evaluatePermissions', { token, body: { items: [] } });
  });

  it('to suggestions and reviews is as documented', async () => {
    const token = mila;
    const target = { type: 'update', targetType: 'artwork', targetId: buildDemoId('mrk', 15), baseVersion: 1 };
    const change = { ...target, changes: { address: 'Wolstraat 5, Halvenstad' } };
    const made = await ask(201, 'suggestEdit', { token, body: change });
    await ask(409, 'suggestEdit', { token, body: change });
    await ask(422, 'suggestEdit', { token, body: { ...target, changes: {} } });
    await ask(410, 'suggestEdit', { token, body: { ...target, targetId: DELETED_MARKER_ID, changes: { year: 2000 } } });
    await ask(404, 'suggestEdit', { token, body: { ...target, targetId: 'mrk_unknown', changes: { year: 2000 } } });
    await ask(400, 'suggestEdit', { token, body: { ...target, changes: { year: 1 } } });
    await ask(403, 'suggestEdit', { token: await tokenOf('gus'), body: change });
    await ask(409, 'suggestEdit', { token, body: { ...target, targetId: MARKER_ID, changes: { year: 2020 } } });
    const writer = await tokenOf('tomas', ['edits:write']);
    await ask(201, 'suggestEdit', { token: writer, body: { ...target, changes: { year: 2001 } } });

    const path = { id: made.body.id as string };
    await ask(403, 'acceptEdit', { token, path });
    await ask(404, 'acceptEdit', { token: ines, path: { id: `edt_${UNKNOWN_ULID}` } });
    await ask(409, 'acceptEdit', { token: ines, path, body: { expectedTargetVersion: 7 } });
    await ask(409, 'revertEdit', { token: ines, path });
    await ask(200, 'acceptEdit', { token: ines, path, body: { comment: 'Seen it.' } });
    await ask(409, 'acceptEdit', { token: ines, path });
    await ask(200, 'revertEdit', { token: await tokenOf('ines', ['edits:review']), path });
    await ask(409, 'acceptEdit', { token: ines, path: { id: buildDemoId('edt', 9) } });
    await ask(400, 'rejectEdit', { token: ines, path, body: {} });
    await ask(200, 'rejectEdit', {
      token: ines,
      path: { id: buildDemoId('edt', 13) },
      body: { comment: 'An advertisement.' },
    });
    await ask(409, 'rejectEdit', {
      token: ines,
      path: { id: buildDemoId('edt', 13) },
      body: { comment: 'An advertisement.' },
    });
  });

  it('to apps that get and give back tokens is as documented', async () => {
    const grant = { grant_type: 'refresh_token', ...credentials() };
    const { refresh_token } = await tokensOf('mila', ['openid']);
    const { body } = await ask(200, 'issueTokens', { body: { ...grant, refresh_token } });
    await ask(400, 'issueTokens', { body: { ...grant, refresh_token } });
    await ask(400, 'issueTokens', { body: { ...grant, refresh_token: body.refresh_token, scope: 'email' } });
    await ask(400, 'issueTokens', { body: { ...credentials(), grant_type: 'password' } });
    await ask(401, 'issueTokens', { body: { ...grant, client_secret: 'wrong', refresh_token } });
    await ask(413, 'issueTokens', { body: { ...grant, refresh_token: 'x'.repeat(70_000) } });
    await ask(400, 'issueTokens', { body: '{' });
    await ask(200, 'revokeToken', { body: { ...credentials(), token: body.refresh_token } });
    await ask(400, 'revokeToken', { body: credentials() });
    await ask(401, 'revokeToken', { body: { token: body.refresh_token } });
  });

  it('about people, keys and itself is as documented', async () => {
    await ask(200, 'getUserinfo', { token: mila });
    await ask(200, 'getUserinfo', { token: await tokenOf('mila', ['openid']) });
    await ask(200, 'postUserinfo', { token: mila });
    await ask(401, 'postUserinfo');
    await ask(403, 'getUserinfo', { token: await tokenOf('mila', ['profile']) });
    for (const id of ['getKeys', 'discoverOpenid', 'discoverOauth', 'getOpenapi']) await ask(200, id);
  });

  it('to the browsers of people is as documented', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await ask(200, 'logout');
    await ask(400, 'logout', { query: '?client_id=app_unknown' });
    await ask(400, 'authorize');
    for (const id of ['authorizeByForm', 'logoutByForm']) {
      await ask(413, id, { headers, body: 'x'.repeat(70_000) });
      await ask(415, id, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
        body: 'x',
      });
    }
  });

  it('to a token that is none, or that lacks the scope, is as documented', async () => {
    const wrong = await tokenOf('mila', ['email']);
    for (const { definition } of reference.operations.filter(({ definition: { security } }) => security[0]?.oauth2)) {
      const path = { id: 'x', markerId: 'x' };
      const id = definition.operationId as string;
      await ask(401, id, { path });
      await ask(401, id, { path, token: 'none' });
      await ask(403, id, { path, token: wrong });
    }
  });

  it('was asked of every operation that does not end in a redirect', () => {
    const asked = reference.operations
      .map(({ definition }) => ({ id: definition.operationId as string, good: Object.keys(definition.responses)[0]! }))
      .filter(({ good, id }) => good < '300' && id !== 'authorize');
    expect(asked.filter(({ id, good }) => !seen.has(`${id} ${good}`))).toEqual([]);
  });
});
