/*
 * Reads, writes and validates with a client and with validators that orval generates. No response
 * needs a cast.
 */
import { createCollection, getMarker, listArtists, listMarkers, listMyEdits } from './orval/fetch.js';
import { CreateCollectionResponse, GetMarkerResponse, ListArtistsResponse, ListMarkersResponse } from './orval/zod.js';
import { ACCESS_TOKEN, MARKER_ID, NARROW_TOKEN, printCalls } from './calls.js';

const authorize = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
const options = authorize(ACCESS_TOKEN);

const markers = await listMarkers({ bbox: [-180, -90, 180, 90], limit: 5 }, options);
const marker = await getMarker(MARKER_ID, undefined, options);
const artists = await listArtists({ limit: 2 }, options);
const written = await createCollection({ name: 'Doors' }, options);
const rejected = await listMyEdits(undefined, authorize(NARROW_TOKEN));
if (markers.status !== 200 || marker.status !== 200 || artists.status !== 200) throw new Error('A read failed.');
if (written.status !== 201 || rejected.status !== 403) throw new Error('A write failed.');

printCalls({
  title: ListMarkersResponse.parse(markers.data).data[0]!.title,
  latitude: GetMarkerResponse.parse(marker.data).location.lat,
  artists: ListArtistsResponse.parse(artists.data).data.length,
  collection: CreateCollectionResponse.parse(written.data).name,
  error: rejected.data.error,
});
