/*
 * Reads and writes with a client that swagger-typescript-api generates. No response needs a cast.
 */
import { Api } from './swagger-typescript-api/api.js';
import { ACCESS_TOKEN, BASE_URL, MARKER_ID, NARROW_TOKEN, printCalls } from './calls.js';

const connect = (token: string): Api<unknown> =>
  new Api({ baseUrl: BASE_URL, securityWorker: () => ({ headers: { Authorization: `Bearer ${token}` } }) });
const { api } = connect(ACCESS_TOKEN);

const { data: markers } = await api.listMarkers({ bbox: [-180, -90, 180, 90], limit: 5 });
const { data: marker } = await api.getMarker(MARKER_ID);
const { data: artists } = await api.listArtists({ limit: 2 });
const { data: collection } = await api.createCollection({ name: 'Doors' });
const rejected = await connect(NARROW_TOKEN)
  .api.listMyEdits()
  .catch((response: { error: { error: string } }) => response);

printCalls({
  title: markers.data[0]!.title,
  latitude: marker.location.lat,
  artists: artists.data.length,
  collection: collection.name,
  error: rejected.error.error,
});
