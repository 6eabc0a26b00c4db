/*
 * Calls every GET operation with a client that @hey-api/openapi-ts generates. The test generates
 * hey-api beside this file, compiles both with TypeScript, and runs the result. No response needs a
 * cast or a type guard.
 */
import { client } from './hey-api/client.gen.js';
import * as api from './hey-api/index.js';
import { ACCESS_TOKEN, BASE_URL, EDIT_ID, getArtistId, MARKER_ID, printCalls, recordCalls } from './calls.js';

client.setConfig({ baseUrl: BASE_URL, auth: ACCESS_TOKEN, fetch: recordCalls, throwOnError: true });
const throwOnError = true;

const { data: markers } = await api.listMarkers({
  query: { kind: ['artwork', 'place'], bbox: [-180, -90, 180, 90], count: true, limit: 5 },
  throwOnError,
});
const title: string = markers.data[0]!.title;
const cursor: string | null = markers.page.nextCursor;
const { data: marker } = await api.getMarker({ path: { id: MARKER_ID }, throwOnError });
const { data: versions } = await api.listMarkerVersions({ path: { id: MARKER_ID }, throwOnError });
const action: 'created' | 'changed' | 'deleted' | 'restored' = versions.data[0]!.action;
const { data: clusters } = await api.listMarkerClusters({
  query: { bbox: [-180, -90, 180, 90], zoom: 3 },
  throwOnError,
});
const clusterSize: number = clusters.data[0]!.count;
const { data: regions } = await api.listRegions({ throwOnError });
const regionSize: number = regions.data[0]!.markerCount;
const { data: markerChanges } = await api.listMarkerChanges({ query: { limit: 1 }, throwOnError });
const changedTitle: string | undefined = markerChanges.data[0]!.marker?.title;

const path = { id: getArtistId(marker.artists) };
const { data: artists } = await api.listArtists({ query: { ids: [path.id] }, throwOnError });
const { data: artist } = await api.getArtist({ path, throwOnError });
const artistNames: string[] = [artists.data[0]!.name, artist.name];
const { data: artistVersions } = await api.listArtistVersions({ path, throwOnError });
const { data: artistChanges } = await api.listArtistChanges({ query: { limit: 1 }, throwOnError });
const since: string = artistChanges.page.nextSince;
const { data: artworks } = await api.listArtworksOfArtist({ path, throwOnError });
const latitude: number = artworks.data[0]!.location.lat;

const { data: collections } = await api.listCollections({ throwOnError });
const { data: collection } = await api.getCollection({ path: { id: collections.data[0]!.id }, throwOnError });
const items: number = collection.items.length;

const { data: edits } = await api.listMyEdits({ throwOnError });
const { data: edit } = await api.getEdit({ path: { id: EDIT_ID }, throwOnError });
const summary: string = edit.summary;

const { data: userInfo } = await api.getUserinfo({ throwOnError });
const { data: keys } = await api.getKeys({ throwOnError });
const { data: openid } = await api.discoverOpenid({ throwOnError });
const { data: oauth } = await api.discoverOauth({ throwOnError });
const issuers: string[] = [openid.issuer, oauth.issuer];
const { data: resource } = await api.discoverResource({ throwOnError });
const { data: mapApi } = await api.discoverApi({ throwOnError });
const { data: mcpServer } = await api.discoverMcp({ throwOnError });
const resources: string[] = [resource.resource, mapApi.resource, mcpServer.resource];
const { data: document } = await api.getOpenapi({ throwOnError });
const { data: page } = await api.logout({ throwOnError });
const logoutPage: string = page;
const { response: authorization } = await api.authorize({
  query: {
    response_type: 'code',
    client_id: edit.edit.client?.id ?? '',
    redirect_uri: 'http://127.0.0.1:4000/callback',
    scope: 'markers:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
  throwOnError: false,
  redirect: 'manual',
});

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
  authorization: authorization?.status,
});
