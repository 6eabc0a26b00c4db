import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

const HOUR_MS = 3600 * SECOND_MS;

describe('The secret of an app that is replaced', () => {
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

  /** What the revoke endpoint answers an app that says it has this secret. */
  const statusOf = async (client_secret: string, client_id = client.app.id): Promise<number> =>
    (await server.request('POST', '/api/oauth/revoke', { body: { token: 'none', client_id, client_secret } })).status;
  const rotate = async (keepOld?: number): Promise<string> =>
    (await apps.rotateSecret(client.app.id, keepOld === undefined ? {} : { previousSecretTtlMs: keepOld }))
      .clientSecret;
  const notes = (): Promise<AuditEvent[]> =>
    server.entityManager.findBy(AuditEvent, { type: 'app.old_secret_used', appId: client.app.id });

  it('stops at once, unless it is kept', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate();
    expect([await statusOf(old), await statusOf(now)]).toEqual([401, 200]);
    expect(await notes()).toEqual([]);
  });

  it('works beside the new one for as long as it is kept, and no longer', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate(24 * HOUR_MS);
    expect([await statusOf(old), await statusOf(now), await statusOf(`${old}x`)]).toEqual([200, 200, 401]);
    advanceClock(24 * HOUR_MS - SECOND_MS);
    expect([await statusOf(old), await statusOf(now)]).toEqual([200, 200]);
    advanceClock(2 * SECOND_MS);
    expect([await statusOf(old), await statusOf(now)]).toEqual([401, 200]);
  });

  it('stops where a third one comes: two are good at most', async () => {
    const first = client.credentials.client_secret;
    const second = await rotate(24 * HOUR_MS);
    const third = await rotate(24 * HOUR_MS);
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 200, 200]);
    const fourth = await rotate();
    expect([await statusOf(second), await statusOf(third), await statusOf(fourth)]).toEqual([401, 401, 200]);
  });

  it('is good for nothing where the app is disabled, for another app, or where there is none', async () => {
    const old = client.credentials.client_secret;
    await rotate(24 * HOUR_MS);
    const other = await registerApp(server);
    expect(await statusOf(old, other.app.id)).toBe(401);
    for (const secret of ['no secret', '']) {
      expect(await statusOf(secret, other.app.id)).toBe(401);
      expect(await statusOf(secret, 'app_01JDEM00000000000000000001')).toBe(401);
    }
    await apps.disable(client.app.id);
    expect(await statusOf(old)).toBe(401);
  });

  it('is noted with the address that still uses it, once an hour', async () => {
    const old = client.credentials.client_secret;
    const now = await rotate(24 * HOUR_MS);
    for (const secret of [old, now, old, old]) await statusOf(secret);
    expect(await notes()).toEqual([expect.objectContaining({ ipAddress: expect.stringMatching(/127\.0\.0\.1$/) })]);
    advanceClock(HOUR_MS + SECOND_MS);
    await statusOf(now);
    expect(await notes()).toHaveLength(1);
    await Promise.all([statusOf(old), statusOf(old)]);
    expect(await notes()).toHaveLength(2);
  });

  it('is told of on the page of the app', async () => {
    const owner = await createAccount(server);
    client = await registerApp(server, { ownerId: owner.id });
    const browser = await openSignedInBrowser(server, owner);
    const page = async (): Promise<string> => (await browser.get(`/developer/apps/${client.app.id}`)).html;
    expect(await page()).not.toContain('The secret before this one');
    await rotate(24 * HOUR_MS);
    expect(await page()).toMatch(/The secret before this one works until .*It has not been used since\./);
    await statusOf(client.credentials.client_secret);
    expect(await page()).toContain('It was last seen in use on');
  });
});
