import Database from 'better-sqlite3';
import { createServer } from 'node:http';
import { announceReady } from './target-protocol.js';

/**
 * The markers API as a careful developer would write it without a framework: `node:http`, prepared
 * statements, columns mapped to JSON. It sends the same bodies as the service. It has no access
 * tokens, validation, metrics, request ids or entity tags.
 */
const database = new Database(process.env.DATABASE_URL.slice('sqlite:'.length), { readonly: true });
if (process.env.MMAP_SIZE) database.pragma(`mmap_size = ${process.env.MMAP_SIZE}`);

const COLUMNS = `m.id, m.kind, m.title, m.description, m.status, m.medium, m.place_type, m.lat_e7, m.lon_e7,
  m.address, m.region_id, r.name AS region_name, m.year, m.tags, m.photos, m.version, m.open_edit_count,
  m.created_at, m.updated_at`;
const selectInBox = database.prepare(`SELECT row_number FROM marker_rtree
  WHERE west >= ? AND east <= ? AND south >= ? AND north <= ? AND row_number > ? ORDER BY row_number LIMIT ?`);
const selectPage = database.prepare(`SELECT s.row_number, ${COLUMNS} FROM json_each(?) d
  CROSS JOIN marker_search s ON s.row_number = d.value
  CROSS JOIN markers m ON m.id = s.marker_id
  LEFT JOIN regions r ON r.id = m.region_id ORDER BY s.row_number`);
const selectOne = database.prepare(`SELECT ${COLUMNS} FROM markers m LEFT JOIN regions r ON r.id = m.region_id
  WHERE m.id = ? AND m.deleted_at IS NULL`);
const selectArtists = database.prepare(`SELECT l.marker_id, a.id, a.name FROM json_each(?) d
  CROSS JOIN marker_artists l ON l.marker_id = d.value
  CROSS JOIN artists a ON a.id = l.artist_id WHERE a.deleted_at IS NULL ORDER BY a.name_sort_key, a.id`);

const parseList = (text) => JSON.parse(text);
const toMarker = (row, artists) => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  description: row.description,
  status: row.status,
  medium: parseList(row.medium),
  placeType: row.place_type,
  location: { lat: row.lat_e7 / 1e7, lon: row.lon_e7 / 1e7 },
  address: row.address,
  region: row.region_id && { id: row.region_id, name: row.region_name },
  artists,
  year: row.year,
  tags: parseList(row.tags),
  ...toPhotoMembers(parseList(row.photos)),
  version: row.version,
  openEditCount: row.open_edit_count,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

function toMarkers(rows) {
  const artists = new Map(rows.map(({ id }) => [id, []]));
  const links = selectArtists.all(JSON.stringify([...artists.keys()]));
  for (const { marker_id, id, name } of links) artists.get(marker_id).push({ id, name });
  return rows.map((row) => toMarker(row, artists.get(row.id)));
}

function list(params) {
  const limit = Number(params.get('limit') ?? 100);
  const [west, south, east, north] = params
    .get('bbox')
    .split(',')
    .map((degrees) => Math.round(Number(degrees) * 1e7));
  const cursor = params.get('cursor');
  const after = cursor ? JSON.parse(Buffer.from(cursor, 'base64url'))[1] : 0;
  const found = selectInBox.all(west, east, south, north, after, limit + 1);
  const rowNumbers = found.slice(0, limit).map(({ row_number }) => row_number);
  const data = toMarkers(selectPage.all(JSON.stringify(rowNumbers)));
  const end = [rowNumbers.at(-1), rowNumbers.at(-1), String(limit)];
  const nextCursor = found.length > limit ? Buffer.from(JSON.stringify(end)).toString('base64url') : null;
  return { data, page: { limit, nextCursor } };
}

function get(id) {
  const row = selectOne.get(id);
  return row && toMarkers([row])[0];
}

const server = createServer((request, response) => {
  const [path, query] = request.url.split('?');
  const found = path === '/api/markers' ? list(new URLSearchParams(query)) : get(path.slice('/api/markers/'.length));
  const body = JSON.stringify(found ?? { error: 'This marker does not exist.' });
  response.writeHead(found ? 200 : 404, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-cache',
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => announceReady({ url: `http://127.0.0.1:${server.address().port}/api` }));

function toPhotoMembers(photos) {
  return { imageUrl: photos[0]?.url ?? null, photos };
}
