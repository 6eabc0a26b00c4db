import { describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/test-server.js';

const PATH = '/.well-known/security.txt';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the fields of the file (RFC 9116 §2.3), and how it is served. */
async function fetchFields(environment: Record<string, string>): Promise<[name: string, value: string][]> {
  const server = await TestServer.start(environment);
  const response = await fetch(server.url + PATH);
  const text = await response.text();
  await server.stop();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2) as [string, string]);
}

describe('security.txt', () => {
  it('names SECURITY_CONTACT, the policy, and a day within the next year', async () => {
    const contacts = { CONTACT: 'mailto:team@example.org', SECURITY_CONTACT: 'https://example.org/security' };
    const fields = await fetchFields(contacts);
    const { Expires: expires, ...others } = Object.fromEntries(fields);
    expect(others).toEqual({
      Contact: 'https://example.org/security',
      Canonical: `https://map.example.org${PATH}`,
      Policy: 'https://map.example.org/docs/security-policy',
      'Preferred-Languages': 'en',
    });
    const days = (Date.parse(expires!) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(1);
    expect(days).toBeLessThan(365);
  });

  it('names CONTACT if the operator set no other address', async () => {
    expect(await fetchFields({ CONTACT: 'mailto:team@example.org' })).toContainEqual([
      'Contact',
      'mailto:team@example.org',
    ]);
  });

  it('does not exist without an address', async () => {
    const server = await TestServer.start();
    expect((await fetch(server.url + PATH)).status).toBe(404);
    await server.stop();
  });
});
