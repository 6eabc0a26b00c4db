import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildDemoId } from '../../src/app/demo/demo-data.js';
import { DemoServer } from '../support/demo-server.js';
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

describe('Responses match the OpenAPI document', () => {
  let demoServer: DemoServer;
  let server: TestServer;
  let reference: OpenApiDocument;
  let mila: string;
  let ines: string;
  /** The operations and statuses that were tested. */
  const results = new Set<string>();

  beforeAll(async () => {
    demoServer = await DemoServer.start();
    ({ server, document: reference } = demoServer);
    mila = await demoServer.issueAccessToken('mila');
    ines = await demoServer.issueAccessToken('ines');
  });
  afterAll(() => server.stop());

  /** Sends a request to an operation, and validates the response against the document. */
  async function send(
    status: number,
    id: string,
    { path = {}, query = '', ...parameters }: OperationRequest = {},
  ): Promise<TestResponse> {
    const operation = reference.findOperation(id);
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name]!) + query;
    const response = await server.request(operation.method, address, parameters);
    const undocumented = reference.validateResponse(operation, response);
    expect({ id, address, status: response.status, undocumented }).toEqual({ id, address, status, undocumented: [] });
    results.add(`${id} ${status}`);
    return response;
  }

  it('of markers', async () => {
    const token = mila;
    const { headers } = await send(200, 'listMarkers', { token, query: '?limit=3' });
    await send(304, 'listMarkers', { token, query: '?limit=3', headers: { 'If-None-Match': headers.get('etag')! } });
    await send(200, 'listMarkers', { token, query: '?lat=52.0956&lon=5.0184&radius=500' });
    await send(200, 'listMarkers', { token, query: `?ids=${MARKER_ID},mrk_unknown` });
    await send(200, 'listMarkers', { token, query: '?q=fox&count=true&kind=artwork,place' });
    await send(200, 'listMarkers', {
      token,
      query: '?bbox=179.9,-16.9,-179.9,-16.7&format=geojson&limit=1&count=true',
    });
    await send(200, 'listMarkers', { token, query: `?ids=${MARKER_ID},mrk_unknown&format=geojson` });
    await send(400, 'listMarkers', { token, query: '?limit=501' });
    await send(400, 'listMarkers', { token, query: '?cursor=x' });
    await send(400, 'listMarkers', { token, query: '?lat=1' });
    await send(200, 'getMarker', { token, path: { id: MARKER_ID } });
    await send(410, 'getMarker', { token, path: { id: DELETED_MARKER_ID } });
    await send(404, 'getMarker', { token, path: { id: `mrk_${UNKNOWN_ULID}` } });
    await send(400, 'getMarker', { token, path: { id: '%E0' } });
    await send(200, 'listMarkerClusters', { token, query: '?bbox=-180,-90,180,90&zoom=3&status=present' });
    await send(200, 'listMarkerClusters', { token, query: '?bbox=179,-17,-179,-16&zoom=20' });
    await send(400, 'listMarkerClusters', { token, query: '?bbox=-180,-90,180,90' });
    const words = `q=${'one+'.repeat(17)}`;
    for (const [id, query] of [
      ['listMarkers', `?${words}`],
      ['listMarkerClusters', `?bbox=0,0,1,1&zoom=3&${words}`],
      ['listArtists', `?${words}`],
    ] as const)
      expect((await send(400, id, { token, query })).body.code).toBe('too_many_words');
    await send(200, 'listRegions', { token, query: '?limit=2' });
    await send(200, 'listMarkerVersions', { token, path: { id: MARKER_ID } });
  });

  it('of changes', async () => {
    for (const id of ['listMarkerChanges', 'listArtistChanges']) {
      const { body } = await send(200, id, { token: mila, query: '?limit=3' });
      await send(200, id, { token: mila, query: `?since=${body.page.nextSince}&limit=500` });
      await send(400, id, { token: mila, query: '?since=x' });
    }
  });

  it('of artists', async () => {
    const token = mila;
    await send(200, 'listArtists', { token });
    await send(200, 'listArtists', { token, query: `?ids=${ARTIST_ID},art_unknown` });
    await send(200, 'getArtist', { token, path: { id: ARTIST_ID } });
    await send(200, 'listArtistVersions', { token, path: { id: ARTIST_ID } });
    await send(200, 'listArtworksOfArtist', { token, path: { id: ARTIST_ID } });
    await send(200, 'listArtworksOfArtist', { token, path: { id: ARTIST_ID }, query: '?format=geojson' });
    for (const id of ['getArtist', 'listArtistVersions', 'listArtworksOfArtist'])
      await send(404, id, { token, path: { id: `art_${UNKNOWN_ULID}` } });
  });

  it('of collections', async () => {
    const token = mila;
    await send(200, 'listCollections', { token });
    await send(200, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID } });
    await send(200, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID }, query: '?format=geojson&limit=1' });
    await send(401, 'getCollection', { path: { id: PUBLIC_COLLECTION_ID }, token: 'stale' });
    await send(404, 'getCollection', { path: { id: `col_${UNKNOWN_ULID}` } });

    const created = await send(201, 'createCollection', { token, body: { name: 'Doors' } });
    await send(201, 'createCollection', {
      token: await demoServer.issueAccessToken('mila', ['collections:write']),
      body: { name: 'Gates' },
    });
    await send(403, 'createCollection', { token: await demoServer.issueAccessToken('gus'), body: { name: 'Doors' } });
    const path = { id: created.body.id as string, markerId: MARKER_ID };
    await send(200, 'addToCollection', {
      token,
      path,
      body: { items: [{ markerId: MARKER_ID }, { markerId: 'mrk_nowhere' }] },
    });
    const { data: places } = (await server.request('GET', '/api/markers?kind=place&limit=1', { token })).body;
    await send(422, 'addToCollection', { token, path, body: { items: [{ markerId: places[0].id }] } });
    await send(200, 'changeCollectionItem', { token, path, body: { note: null } });
    await send(400, 'changeCollectionItem', { token, path, body: {} });
    await send(200, 'orderCollection', { token, path, body: { markerIds: [MARKER_ID, 'mrk_nowhere'] } });
    await send(400, 'orderCollection', { token, path, body: { markerIds: [] } });
    await send(200, 'getCollection', { token, path });
    await send(412, 'changeCollection', { token, path, body: { name: 'x' }, headers: { 'If-Match': '"old"' } });
    await send(200, 'changeCollection', { token, path, body: { visibility: 'public' } });
    await send(403, 'changeCollection', { token: ines, path, body: { name: 'Mine' } });
    await send(413, 'changeCollection', { token, path, body: { name: 'x'.repeat(70_000) } });
    await send(415, 'changeCollection', { token, path, body: 'x', headers: { 'Content-Type': 'text/plain' } });
    await send(204, 'removeArtworkFromCollection', { token, path });
    await send(204, 'removeFromCollection', { token, path, query: `?markerIds=${MARKER_ID},${DELETED_MARKER_ID}` });
    await send(400, 'removeFromCollection', { token, path });
    await send(204, 'deleteCollection', { token, path });
    await send(404, 'deleteCollection', { token, path });
  });

  it('of edits', async () => {
    const token = mila;
    await send(200, 'listMyEdits', { token });
    await send(200, 'listMyEdits', { token: ines, query: '?status=open,accepted&sort=updatedAt' });
    await send(200, 'getEdit', { token, path: { id: buildDemoId('edt', 9) } });
    await send(404, 'getEdit', { token, path: { id: `edt_${UNKNOWN_ULID}` } });
    const include = ['target', 'permissions'];
    await send(200, 'viewEdits', { token, body: { ids: [buildDemoId('edt', 9), 'edt_unknown'], include } });
    await send(200, 'viewEdits', { token: ines, body: { filter: { which: 'reviewable' }, include, limit: 100 } });
    await send(400, 'viewEdits', { token, body: {} });
    await send(403, 'viewEdits', {
      token: await demoServer.issueAccessToken('ines', ['edits:read']),
      body: { filter: { which: 'reviewable' } },
    });
    const items = [
      { editId: buildDemoId('edt', 9) },
      { editId: 'edt_unknown' },
      { targetType: 'artwork', targetId: MARKER_ID },
      { targetType: 'artist', type: 'create' },
    ];
    await send(200, 'evaluatePermissions', { token, body: { items } });
    await send(200, 'evaluatePermissions', {
      token: await demoServer.issueAccessToken('ines', ['edits:write']),
      body: { items },
    });
    await send(400, 'evaluatePermissions', { token, body: { items: [] } });
  });

  it('of suggestions and reviews', async () => {
    const token = mila;
    const target = { type: 'update', targetType: 'artwork', targetId: buildDemoId('mrk', 15), baseVersion: 1 };
    const change = { ...target, changes: { address: 'Wolstraat 5, Halvenstad' } };
    const created = await send(201, 'suggestEdit', { token, body: change });
    await send(409, 'suggestEdit', { token, body: change });
    await send(422, 'suggestEdit', { token, body: { ...target, changes: {} } });
    await send(410, 'suggestEdit', {
      token,
      body: { ...target, targetId: DELETED_MARKER_ID, changes: { year: 2000 } },
    });
    await send(404, 'suggestEdit', { token, body: { ...target, targetId: 'mrk_unknown', changes: { year: 2000 } } });
    await send(400, 'suggestEdit', { token, body: { ...target, changes: { year: 1 } } });
    await send(403, 'suggestEdit', { token: await demoServer.issueAccessToken('gus'), body: change });
    await send(409, 'suggestEdit', { token, body: { ...target, targetId: MARKER_ID, changes: { year: 2020 } } });
    const writer = await demoServer.issueAccessToken('tomas', ['edits:write']);
    const own = await send(201, 'suggestEdit', { token: writer, body: { ...target, changes: { year: 2001 } } });
    const ownPath = { id: own.body.id as string };
    await send(404, 'withdrawEdit', { token, path: ownPath });
    await send(200, 'withdrawEdit', { token: writer, path: ownPath });
    await send(409, 'withdrawEdit', { token: writer, path: ownPath });

    const path = { id: created.body.id as string };
    await send(403, 'acceptEdit', { token, path });
    await send(404, 'acceptEdit', { token: ines, path: { id: `edt_${UNKNOWN_ULID}` } });
    await send(409, 'acceptEdit', { token: ines, path, body: { expectedTargetVersion: 7 } });
    await send(409, 'revertEdit', { token: ines, path });
    await send(200, 'acceptEdit', { token: ines, path, body: { comment: 'Seen it.' } });
    await send(409, 'acceptEdit', { token: ines, path });
    await send(200, 'revertEdit', { token: await demoServer.issueAccessToken('ines', ['edits:review']), path });
    await send(409, 'acceptEdit', { token: ines, path: { id: buildDemoId('edt', 9) } });
    await send(200, 'decideEdits', { token: ines, body: { ids: [buildDemoId('edt', 9)], decision: 'revert' } });
    await send(400, 'rejectEdit', { token: ines, path, body: {} });
    const rejection = { token: ines, path: { id: buildDemoId('edt', 13) }, body: { comment: 'An advertisement.' } };
    await send(200, 'rejectEdit', rejection);
    await send(409, 'rejectEdit', rejection);
  });

  it('of the token and revocation endpoints', async () => {
    const grant = { grant_type: 'refresh_token', ...demoServer.credentials };
    const { refresh_token } = await demoServer.issueTokens('mila', ['openid']);
    const { body } = await send(200, 'issueTokens', { body: { ...grant, refresh_token } });
    await send(400, 'issueTokens', { body: { ...grant, refresh_token } });
    await send(400, 'issueTokens', { body: { ...grant, refresh_token: body.refresh_token, scope: 'email' } });
    await send(400, 'issueTokens', { body: { ...demoServer.credentials, grant_type: 'password' } });
    await send(401, 'issueTokens', { body: { ...grant, client_secret: 'wrong', refresh_token } });
    await send(413, 'issueTokens', { body: { ...grant, refresh_token: 'x'.repeat(70_000) } });
    await send(400, 'issueTokens', { body: '{' });
    await send(200, 'revokeToken', { body: { ...demoServer.credentials, token: body.refresh_token } });
    await send(400, 'revokeToken', { body: demoServer.credentials });
    await send(401, 'revokeToken', { body: { token: body.refresh_token } });
  });

  it('of userinfo, keys, health and metadata', async () => {
    await send(200, 'getUserinfo', { token: mila });
    await send(200, 'getUserinfo', { token: await demoServer.issueAccessToken('mila', ['openid']) });
    await send(200, 'postUserinfo', { token: mila });
    await send(401, 'postUserinfo');
    await send(403, 'getUserinfo', { token: await demoServer.issueAccessToken('mila', ['profile']) });
    for (const id of ['getKeys', 'discoverOpenid', 'discoverOauth', 'getOpenapi']) await send(200, id);
    for (const id of ['discoverResource', 'discoverApi', 'discoverMcp']) await send(200, id);
  });

  it('of the browser endpoints', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await send(200, 'logout');
    await send(200, 'logout', { query: '?client_id=app_unknown' });
    await send(400, 'authorize');
    for (const id of ['authorizeByForm', 'logoutByForm']) {
      await send(413, id, { headers, body: 'x'.repeat(70_000) });
      await send(415, id, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
        body: 'x',
      });
    }
  });

  it('of invalid tokens and missing scopes', async () => {
    const wrong = await demoServer.issueAccessToken('mila', ['email']);
    for (const { definition } of reference.operations.filter(({ definition: { security } }) => security[0]?.oauth2)) {
      const path = { id: 'x', markerId: 'x' };
      const id = definition.operationId as string;
      await send(401, id, { path });
      await send(401, id, { path, token: 'none' });
      await send(403, id, { path, token: wrong });
    }
  });

  it('of every operation that does not redirect', () => {
    const request = reference.operations
      .map(({ definition }) => ({ id: definition.operationId as string, good: Object.keys(definition.responses)[0]! }))
      .filter(({ good, id }) => good < '300' && id !== 'authorize');
    expect(request.filter(({ id, good }) => !results.has(`${id} ${good}`))).toEqual([]);
  });
});
