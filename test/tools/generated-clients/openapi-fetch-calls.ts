/*
 * Calls every GET operation with openapi-fetch. The test generates map-api.ts beside this file,
 * compiles both with TypeScript, and runs the result. No response needs a cast or a type guard.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './map-api.js';
import { ACCESS_TOKEN, BASE_URL, EDIT_ID, getArtistId, MARKER_ID, printCalls, recordCalls } from './calls.js';

const options = {
  baseUrl: BASE_URL,
  headers: { Authorization: `Bearer ${ACCESS_TOKEN}` },
  fetch: recordCalls,
} as const;
const client = createClient<paths>(options);

/** Returns the data of a successful response. */
function unwrap<T>({ data, response }: { data?: T; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} returned ${response.status}.`);
  return data;
}

const markers = unwrap(
  await client.GET('/api/markers', {
    params: { query: { kind: ['artwork', 'place'], bbox: [-180, -90, 180, 90], count: true, limit: 5 } },
  }),
);
const title: string = markers.data[0]!.title;
const cursor: string | null = markers.page.nextCursor;
const marker = unwrap(await client.GET('/api/markers/{id}', { params: { path: { id: MARKER_ID } } }));
const clusters = unwrap(
  await client.GET('/api/markers/clusters', { params: { query: { bbox: [-180, -90, 180, 90], zoom: 3 } } }),
);
const clusterSize: number = clusters.data[0]!.count;
const regions = unwrap(await client.GET('/api/markers/regions'));
const regionSize: number = regions.data[0]!.markerCount;
const artistId: string = getArtistId(marker.artists);
const versions = unwrap(await client.GET('/api/markers/{id}/history', { params: { path: { id: MARKER_ID } } }));
const action: 'created' | 'changed' | 'deleted' | 'restored' = versions.data[0]!.action;
const markerChanges = unwrap(await client.GET('/api/markers/changes', { params: { query: { limit: 1 } } }));
const changedTitle: string | undefined = markerChanges.data[0]!.marker?.title;

const path = { id: artistId };
const artists = unwrap(await client.GET('/api/artists', { params: { query: { ids: [artistId] } } }));
const artist = unwrap(await client.GET('/api/artists/{id}', { params: { path } }));
const artistNames: string[] = [artists.data[0]!.name, artist.name];
const artistVersions = unwrap(await client.GET('/api/artists/{id}/history', { params: { path } }));
const artistChanges = unwrap(await client.GET('/api/artists/changes', { params: { query: { limit: 1 } } }));
const since: string = artistChanges.page.nextSince;
const artworks = unwrap(await client.GET('/api/artists/{id}/artworks', { params: { path } }));
const latitude: number = artworks.data[0]!.location.lat;

const collections = unwrap(await client.GET('/api/collections'));
const collection = unwrap(
  await client.GET('/api/collections/{id}', { params: { path: { id: collections.data[0]!.id } } }),
);
const items: number = collection.items.length;

const edits = unwrap(await client.GET('/api/edits/mine'));
const edit = unwrap(await client.GET('/api/edits/{id}', { params: { path: { id: EDIT_ID } } }));
const summary: string = edit.summary;

const userInfo = unwrap(await client.GET('/api/oauth/userinfo'));
const keys = unwrap(await client.GET('/api/oauth/jwks'));
const openid = unwrap(await client.GET('/.well-known/openid-configuration'));
const oauth = unwrap(await client.GET('/.well-known/oauth-authorization-server'));
const issuers: string[] = [openid.issuer, oauth.issuer];
const resource = unwrap(await client.GET('/.well-known/oauth-protected-resource'));
const mapApi = unwrap(await client.GET('/.well-known/oauth-protected-resource/api'));
const mcpServer = unwrap(await client.GET('/.well-known/oauth-protected-resource/mcp'));
const resources: string[] = [resource.resource, mapApi.resource, mcpServer.resource];
const document = unwrap(await client.GET('/api/openapi.json'));
const logoutPage: string = unwrap(await client.GET('/api/oauth/logout', { parseAs: 'text' }));
const { response: authorization } = await client.GET('/api/oauth/authorize', {
  params: {
    query: {
      response_type: 'code',
      client_id: edit.edit.client?.id ?? '',
      redirect_uri: 'http://127.0.0.1:4000/callback',
      scope: 'markers:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  },
  parseAs: 'text',
  redirect: 'manual',
});

/** The paths of lists, with GeoJSON as their response. */
type GeoJsonPaths = {
  [Path in '/api/markers' | '/api/artists/{id}/artworks' | '/api/collections/{id}']: {
    get: Omit<paths[Path]['get'], 'responses'> & { responses: { 200: components['responses']['FeatureCollection'] } };
  };
};
const geoJsonClient = createClient<GeoJsonPaths>({
  ...options,
  headers: { ...options.headers, Accept: 'application/geo+json' },
});
const features = unwrap(await geoJsonClient.GET('/api/markers', { params: { query: { limit: 1 } } }));
const artworkFeatures = unwrap(await geoJsonClient.GET('/api/artists/{id}/artworks', { params: { path } }));
const itemFeatures = unwrap(
  await geoJsonClient.GET('/api/collections/{id}', { params: { path: { id: collection.id } } }),
);
const geoJsonTypes: 'FeatureCollection'[] = [features.type, artworkFeatures.type, itemFeatures.type];

printCalls({
  title,
  cursor,
  action,
  changedTitle,
  since,
  artistNames,
  artistVersions: artistVersions.data.length,
  clusterSize,
  regionSize,
  latitude,
  items,
  edits: edits.data.length,
  summary,
  username: userInfo.preferred_username,
  keys: keys.keys.length,
  issuers,
  resources,
  openapi: document.openapi,
  logoutPage: logoutPage.slice(0, 15),
  authorization: authorization.status,
  geoJsonTypes,
});
