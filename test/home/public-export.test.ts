import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PublicExportService } from '../../src/app/home/public-export.service.js';
import { createArtist, createMarker } from '../support/factories.js';
import { sendRequest, TestServer } from '../support/test-server.js';

const ARTWORKS = '/export/artworks.geojsonseq';
const ARTISTS = '/export/artists.jsonl';
const DAY_MS = 24 * 3600_000;

interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request without the decompression of `fetch`. */
function sendRaw(url: string, method: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}

describe('PUBLIC_EXPORT=on', () => {
  let server: TestServer;
  let service: PublicExportService;
  let folder: string;

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> =>
    sendRaw(server.url + path, method, headers);
  const list = async (): Promise<string[]> => (await readdir(folder)).sort();
  const makeOlder = async (ageMs: number): Promise<void> => {
    for (const name of await list()) {
      const at = new Date((await stat(join(folder, name))).mtimeMs - ageMs);
      await utimes(join(folder, name), at, at);
    }
  };

  beforeAll(async () => {
    server = await TestServer.start({ PUBLIC_EXPORT: 'on', DATA_LICENSE: 'CC0-1.0', ATTRIBUTION: 'By everyone' });
    const artist = await createArtist(server, 'Ansa');
    for (let count = 0; count < 250; count++)
      await createMarker(server, { title: `Fox ${count}`, ...(count === 0 && { artistIds: [artist.id] }) });
    await createMarker(server, { title: 'A shop', placeType: 'shop' });
    service = server.get(PublicExportService);
    folder = (service as unknown as { folder: string }).folder;
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('responds 503 until the files are written', async () => {
    const { status, headers, body } = await get(ARTWORKS);
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '60' });
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'export_not_written' });
  });

  it('serves the artworks and artists with their license, for scripts of all origins', async () => {
    await service.writeDue();
    const artworks = await get(ARTWORKS, { Origin: 'https://app.example' });
    expect({ status: artworks.status, headers: artworks.headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/geo+json-seq',
        'access-control-allow-origin': '*',
        link: '<https://spdx.org/licenses/CC0-1.0.html>; rel="license"',
        etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
        vary: expect.stringContaining('Accept-Encoding'),
      },
    });
    expect(artworks.headers['content-encoding']).toBeUndefined();
    const [nothing, ...records] = artworks.body.toString().split('\x1e');
    const features = records.map((record) => JSON.parse(record));
    expect(nothing).toBe('');
    expect(features.map(({ properties }) => properties.title)).toEqual(
      Array.from({ length: 250 }, (_, index) => `Fox ${index}`),
    );
    expect(features[0]).toMatchObject({ license: 'CC0-1.0', attribution: 'By everyone', type: 'Feature' });
    expect(features[0].properties.artists).toEqual([expect.objectContaining({ name: 'Ansa' })]);

    const artists = await get(ARTISTS);
    expect(artists.headers['content-type']).toBe('application/jsonl');
    expect(JSON.parse(artists.body.toString())).toMatchObject({ license: 'CC0-1.0', name: 'Ansa', artworkCount: 1 });
  });

  it('serves gzip if the client accepts it, with an entity tag of its own', async () => {
    const [plain, gzip] = [await get(ARTWORKS), await get(ARTWORKS, { 'Accept-Encoding': 'br, gzip' })];
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(gzip.headers['content-length']).toBe(String(gzip.body.length));
    expect(gzip.headers.etag).not.toBe(plain.headers.etag);
    const refused = await get(ARTWORKS, { 'Accept-Encoding': 'gzip;q=0, *;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it.each<Record<string, string>>([{}, { 'Accept-Encoding': 'gzip' }])(
    'responds 304 to its entity tag, and to no other: %j',
    async (headers) => {
      const { etag } = (await get(ARTWORKS, headers)).headers;
      const same = await get(ARTWORKS, { ...headers, 'If-None-Match': String(etag), 'Cache-Control': 'no-cache' });
      expect({ status: same.status, length: same.body.length, tag: same.headers.etag }).toEqual({
        status: 304,
        length: 0,
        tag: etag,
      });
      expect(same.headers.link).toContain('rel="license"');
      expect((await get(ARTWORKS, { ...headers, 'If-None-Match': '"other"' })).status).toBe(200);
    },
  );

  it('allows HEAD, and no other method', async () => {
    const head = await get(ARTWORKS, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect({ status: head.status, length: head.body.length }).toEqual({ status: 200, length: 0 });
    expect(head.headers['content-encoding']).toBe('gzip');
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get(ARTWORKS, {}, method)).status).toBe(405);
    expect((await get('/export/places.geojsonseq')).status).toBe(404);
  });

  it('writes a file again when it is old, and keeps its entity tag if nothing changed', async () => {
    const before = await list();
    const { etag } = (await get(ARTWORKS)).headers;
    await service.writeDue();
    expect(await list()).toEqual(before);
    await makeOlder(DAY_MS + 1000);
    expect((await get(ARTWORKS)).status).toBe(503);
    await createMarker(server, { title: 'Newcomer' });
    await service.writeDue();
    const after = await list();
    expect(after).toHaveLength(2);
    expect(after.filter((name) => before.includes(name))).toHaveLength(1); // the artists are the same
    const { headers, body } = await get(ARTWORKS);
    expect(headers.etag).not.toBe(etag);
    expect(body.toString()).toContain('Newcomer');
  });

  it('is served by a process that starts later, before it writes anything', async () => {
    const { PUBLIC_EXPORT, DATA_LICENSE, ATTRIBUTION, DATABASE_URL } = server.settings;
    const settings = { PUBLIC_EXPORT, DATA_LICENSE: DATA_LICENSE!, ATTRIBUTION: ATTRIBUTION!, DATABASE_URL };
    const later = await TestServer.start(settings);
    expect((await sendRaw(later.url + ARTISTS, 'GET')).status).toBe(200);
    await later.stop();
  });

  it('is written by one process at a time, and by another one after a crash', async () => {
    await makeOlder(DAY_MS);
    const lock = join(folder, 'lock');
    await writeFile(lock, '');
    await service.writeDue();
    expect(Date.now() - (await stat(join(folder, (await list())[0]!))).mtimeMs).toBeGreaterThan(DAY_MS - 1000);
    await makeOlder(DAY_MS);
    await service.writeDue();
    expect((await get(ARTISTS)).status).toBe(200);
    expect(await list()).toHaveLength(2);
  });

  it('does not wait for the lock of a process that ended', async () => {
    await makeOlder(DAY_MS);
    await writeFile(join(folder, 'lock'), `${hostname()} 999999999`);
    await service.writeDue();
    expect((await get(ARTISTS)).status).toBe(200);
    expect(await list()).toHaveLength(2);
  });

  it('neither writes nor serves files in a folder that others can change', async () => {
    await chmod(folder, 0o777);
    await expect(service.writeDue()).rejects.toThrow(/must belong to this user/);
    expect((await get(ARTISTS)).status).toBe(503);
    await chmod(folder, 0o700);
    await service.writeDue();
    expect((await get(ARTISTS)).status).toBe(200);
  });

  it('leaves no file behind that is not complete', async () => {
    await makeOlder(DAY_MS);
    await mkdir(join(folder, `artworks.geojsonseq.${process.pid}.part`, 'in-the-way'), { recursive: true });
    await expect(service.writeDue()).rejects.toThrow();
    expect((await list()).filter((name) => name === 'lock')).toEqual([]);
    await rm(join(folder, `artworks.geojsonseq.${process.pid}.part`), { recursive: true });
    await service.writeDue();
    expect((await get(ARTWORKS)).status).toBe(200);
  });
});

describe('PUBLIC_EXPORT=off', () => {
  it('has no public files, which is the default', async () => {
    const server = await TestServer.start();
    for (const path of [ARTWORKS, ARTISTS])
      for (const method of ['GET', 'HEAD', 'POST'])
        expect((await sendRequest(server.url, method, path)).status).toBe(404);
    await server.stop();
  });
});
