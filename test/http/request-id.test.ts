import { afterEach, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TestServer } from '../support/test-server.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('X-Request-Id', () => {
  let server: TestServer;

  afterEach(() => server.stop());

  /** Returns the id in the response to a request with an id. */
  const sendId = async (id: string): Promise<string> => {
    const { headers } = await server.request('GET', '/health/live', { headers: { 'X-Request-Id': id } });
    return headers.get('x-request-id')!;
  };

  it('is a new id for each request without a trusted proxy', async () => {
    server = await TestServer.start();
    const ids = [await sendId('from-the-client'), await sendId('from-the-client')];
    for (const id of ids) expect(id).toMatch(UUID);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each(['1', 'true', 'loopback'])('is that of a trusted proxy, with TRUST_PROXY=%s', async (TRUST_PROXY) => {
    server = await TestServer.start({ TRUST_PROXY });
    for (const id of ['7F000001:8296_7F00001E:1F90', 'Root=1-67891233', 'x'.repeat(128)])
      expect(await sendId(id)).toBe(id);
  });

  it.each(['0', 'false', '192.0.2.0/24'])('is not that of another sender, with TRUST_PROXY=%s', async (TRUST_PROXY) => {
    server = await TestServer.start({ TRUST_PROXY });
    expect(await sendId('from-the-client')).toMatch(UUID);
  });

  it('is on an error page, so that the person can quote it', async () => {
    server = await TestServer.start();
    const response = await fetch(`${server.url}/api/oauth/authorize`);
    const html = await response.text();
    expect(html).toContain(`Request ID: ${response.headers.get('x-request-id')}`);
    expect(html).toContain('<a href="/developer/apps">');
  });

  it('is a new id if that of the proxy is too long, has other characters or looks like a secret', async () => {
    server = await TestServer.start({ TRUST_PROXY: 'loopback' });
    const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.c2ln';
    for (const id of ['x'.repeat(129), '', 'two words', 'a,b', '"quoted"', 'é', generateSecret('sam_refresh'), JWT])
      expect(await sendId(id)).toMatch(UUID);
  });
});
