import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as sendHttpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MapFixture } from '../support/map-fixture.js';
import { issueTokens, registerApp, createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

describe('Compression', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
    await map.createMarkers(
      ...Array.from({ length: 20 }, (_, index) => ({ title: `Wall ${index}`, location: { lat: 1, lon: 1 } })),
    );
  });
  afterAll(() => map.stop());

  /** Sends a request and does not decode the response. */
  function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
    return new Promise<RawResponse>((resolve, reject) => {
      const outgoing = sendHttpRequest(
        map.server.url + path,
        { method, headers: { Authorization: `Bearer ${map.token}`, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
          );
        },
      );
      outgoing.on('error', reject).end(body);
    });
  }

  it('follows Accept-Encoding, and prefers Brotli', async () => {
    const plain = await send('/api/markers?limit=20');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzip = await send('/api/markers?limit=20', { 'Accept-Encoding': 'gzip' });
    const brotli = await send('/api/markers?limit=20', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect([gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br']);
    expect([gunzipSync(gzip.body), brotliDecompressSync(brotli.body)]).toEqual([plain.body, plain.body]);
    expect(gzip.body.length).toBeLessThan(plain.body.length / 4);
    for (const encoding of ['identity', 'gzip;q=0, br;q=0', 'zstd']) {
      const { headers, body } = await send('/api/markers?limit=20', { 'Accept-Encoding': encoding });
      expect({ encoding, sent: headers['content-encoding'], body }).toEqual({
        encoding,
        sent: undefined,
        body: plain.body,
      });
    }
    for (const { headers } of [gzip, brotli]) {
      expect(headers['vary']).toBe('Authorization, Accept, Origin, Accept-Encoding');
      expect(headers['etag']).toBe(plain.headers['etag']);
    }
  });

  it('applies to GeoJSON, assets, the OpenAPI document and its page', async () => {
    for (const path of [
      '/api/markers?limit=20&format=geojson',
      '/assets/style.css',
      '/assets/mural.svg',
      '/api/openapi.json',
      '/docs',
      '/docs/quickstart',
    ]) {
      const { status, headers } = await send(path, { 'Accept-Encoding': 'gzip' });
      expect({ path, status, encoding: headers['content-encoding'] }).toEqual({ path, status: 200, encoding: 'gzip' });
      expect(headers['vary']).toContain('Accept-Encoding');
    }
  });

  it('does not apply to responses below 1 KiB, and to fonts', async () => {
    for (const path of ['/api/markers?limit=1', '/assets/display.woff2']) {
      const { status, headers } = await send(path, { 'Accept-Encoding': 'gzip, br' });
      expect({ path, status, encoding: headers['content-encoding'] }).toEqual({
        path,
        status: 200,
        encoding: undefined,
      });
    }
  });

  it('keeps the length of a response of the API below 1 KiB', async () => {
    const { headers, body } = await send('/api/markers?limit=1', { 'Accept-Encoding': 'gzip, br' });
    expect(headers['content-length']).toBe(String(body.length));
  });

  it('does not apply to responses that no cache may store, which can contain secrets', async () => {
    const { app, credentials } = await registerApp(map.server);
    const { refresh_token } = await issueTokens(map.server, {
      app,
      account: await createAccount(map.server),
    });
    const grant = { grant_type: 'refresh_token', refresh_token, ...credentials };
    const tokens = await send(
      '/api/oauth/token',
      { 'Accept-Encoding': 'gzip, br', 'Content-Type': 'application/json' },
      'POST',
      JSON.stringify(grant),
    );
    expect(tokens.status).toBe(200);
    for (const { headers } of [
      tokens,
      await send('/sign-in', { 'Accept-Encoding': 'gzip, br' }),
      await send(`/sign-in?return_to=${'x'.repeat(2000)}`, { 'Accept-Encoding': 'gzip, br' }),
    ]) {
      expect(headers['cache-control']).toContain('no-store');
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  it('keeps conditional requests and HEAD', async () => {
    const first = await send('/api/markers?limit=20', { 'Accept-Encoding': 'gzip' });
    const again = await send('/api/markers?limit=20', {
      'Accept-Encoding': 'br',
      'If-None-Match': first.headers['etag'] as string,
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['content-encoding']).toBeUndefined();
    expect(again.headers['vary']).toBe(first.headers['vary']);
    const head = await send('/api/markers?limit=20', { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([head.status, head.body.length, head.headers['etag']]).toEqual([200, 0, first.headers['etag']]);
  });

  it('is switched off with COMPRESSION=off', async () => {
    const server = await TestServer.start({ COMPRESSION: 'off' });
    const response = await fetch(`${server.url}/api/openapi.json`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('vary') ?? '').not.toContain('Accept-Encoding');
    await response.text();
    await server.stop();
  });
});
