import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

const HOUR_MS = 3600 * SECOND_MS;

describe('Client secret rotation', () => {
  let server: TestServer;
  let apps: AppsService;
  let client: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    apps = server.get(AppsService);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    client = await registerApp(server);
  });
  afterEach(restoreClock);

  /** Sends a revocation request with a secret. @returns the status and the error */
  const fetchStatus = async (client_secret: string, client_id = client.app.id): Promise<number> =>
    (await server.request('POST', '/api/oauth/revoke', { body: { token: 'none', client_id, client_secret } })).status;
  const rotate = async (keepOld?: number): Promise<string> =>
    (await apps.rotateSecret(client.app.id, keepOld === undefined ? {} : { previousSecretTtlMs: keepOld }))
      .clientSecret!;
  const notes = (): Promise<AuditEvent[]> =>
    server.entityManager.findBy(AuditEvent, { type: 'app.old_secret_used', appId: client.app.id });

  it('invalidates the previous secret at once by default', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate();
    expect([await fetchStatus(old), await fetchStatus(now)]).toEqual([401, 200]);
    expect(await notes()).toEqual([]);
  });

  it('accepts the previous secret until its time is over', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate(24 * HOUR_MS);
    expect([await fetchStatus(old), await fetchStatus(now), await fetchStatus(`${old}x`)]).toEqual([200, 200, 401]);
    advanceClock(24 * HOUR_MS - SECOND_MS);
    expect([await fetchStatus(old), await fetchStatus(now)]).toEqual([200, 200]);
    advanceClock(2 * SECOND_MS);
    expect([await fetchStatus(old), await fetchStatus(now)]).toEqual([401, 200]);
  });

  it('invalidates the previous secret when a third one is created', async () => {
    const first = client.credentials.client_secret;
    const second = await rotate(24 * HOUR_MS);
    const third = await rotate(24 * HOUR_MS);
    expect([await fetchStatus(first), await fetchStatus(second), await fetchStatus(third)]).toEqual([401, 200, 200]);
    const fourth = await rotate();
    expect([await fetchStatus(second), await fetchStatus(third), await fetchStatus(fourth)]).toEqual([401, 401, 200]);
  });

  it('rejects the previous secret of a disabled app, for another app, and when there is none', async () => {
    const old = client.credentials.client_secret;
    await rotate(24 * HOUR_MS);
    const other = await registerApp(server);
    expect(await fetchStatus(old, other.app.id)).toBe(401);
    for (const secret of ['no secret', '']) {
      expect(await fetchStatus(secret, other.app.id)).toBe(401);
      expect(await fetchStatus(secret, 'app_01JDEM00000000000000000001')).toBe(401);
    }
    await apps.disable(client.app.id);
    expect(await fetchStatus(old)).toBe(401);
  });

  it('records the address that uses the previous secret, once an hour', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate(24 * HOUR_MS);
    for (const secret of [old, now, old, old]) await fetchStatus(secret);
    expect(await notes()).toEqual([expect.objectContaining({ ipAddress: expect.stringMatching(/127\.0\.0\.1$/) })]);
    advanceClock(HOUR_MS + SECOND_MS);
    await fetchStatus(now);
    expect(await notes()).toHaveLength(1);
    await Promise.all([fetchStatus(old), fetchStatus(old)]);
    expect(await notes()).toHaveLength(2);
  });

  it('shows the previous secret on the page of the app', async () => {
    const owner = await createAccount(server);
    client = await registerApp(server, { ownerId: owner.id });
    const browser = await openSignedInBrowser(server, owner);
    const page = async (): Promise<string> => (await browser.get(`/developer/apps/${client.app.id}`)).html;
    expect(await page()).not.toContain('The previous secret');
    await rotate(24 * HOUR_MS);
    expect(await page()).toMatch(/The previous secret works until .*It has not been used since it was replaced\./);
    await fetchStatus(client.credentials.client_secret);
    expect(await page()).toContain('It was last used on');
  });
});
