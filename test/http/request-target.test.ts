import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IncomingMessage, request } from 'node:http';
import { issueAccessToken } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';

describe('Request target', () => {
  let map: MapFixture;
  let token: string;

  beforeAll(async () => {
    map = await MapFixture.start();
    token = await issueAccessToken(map.server, ['markers:read']);
    await map.createMarkers(...['one', 'two', 'three'].map((title) => ({ title, location: { lat: 1, lon: 1 } })));
  });
  afterAll(() => map.stop());

  /** Sends a request target unchanged; `fetch` would normalize it. */
  function get(path: string): Promise<IncomingMessage & { text: string }> {
    const { hostname, port } = new URL(map.server.url);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, headers: { Authorization: `Bearer ${token}` } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(Object.assign(response, { text })));
      });
      sent.on('error', reject).end();
    });
  }

  it.each(['http://evil.example', 'http://a:99999', 'HTTPS://evil.example:1', 'http://'])(
    'in absolute form (RFC 9112 §3.2.2) does not change the host: %s',
    async (origin) => {
      for (const format of ['json', 'geojson']) {
        const { statusCode, headers, text } = await get(`${origin}/api/markers?limit=1&format=${format}`);
        expect({ statusCode, foreign: /evil|99999/.test(text) }).toEqual({ statusCode: 200, foreign: false });
        expect(headers['link']).toMatch(/^<https:\/\/map\.example\.org\/api\/markers\?/);
      }
    },
  );

  it.each(['/API/markers', '/api/Markers', '/Sign-In', '//evil.example/api/markers', '/api//markers'])(
    'is compared exactly: %s is not found',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404);
    },
  );

  it.each([
    '2026-02-31T00:00:00Z',
    '2026-04-31T12:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-13-01T00:00:00Z',
  ])('rejects the date-time %s, which is not in the calendar', async (moment) => {
    expect((await get(`/api/markers?updatedSince=${moment}`)).statusCode).toBe(400);
  });

  it.each(['2024-02-29T00:00:00Z', '2026-01-01T23:59:59.999%2B14:00'])('accepts the date-time %s', async (moment) => {
    expect((await get(`/api/markers?updatedSince=${moment}`)).statusCode).toBe(200);
  });
});
