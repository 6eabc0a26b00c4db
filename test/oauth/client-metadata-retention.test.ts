import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AppsStore } from '../../src/identity/apps/apps.store.js';
import { FailedCallsStore } from '../../src/identity/apps/failed-calls/failed-calls.store.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { createAuthorizationRequest, grantConsent, openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { MetadataHost } from '../support/metadata-host.js';
import { TestServer } from '../support/test-server.js';

const REDIRECT_URI = 'http://127.0.0.1/callback';

describe('An app that a client ID metadata document describes', () => {
  let server: TestServer;
  let host: MetadataHost;
  let browser: BrowserClient;

  beforeAll(async () => {
    host = await MetadataHost.start();
    host.address = '93.184.215.14';
    server = await TestServer.start({ CLIENT_ID_METADATA: 'assistant.example' });
    browser = await openSignedInBrowser(server, await createAccount(server));
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await server.stop();
    await host.stop();
  });

  const find = (id: string): ReturnType<AppsStore['find']> => server.get(AppsStore).find(id);
  const buildPath = (id: string): string =>
    createAuthorizationRequest({ credentials: { client_id: id } } as never, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid markers:read',
    }).path;

  it('is deleted 7 days after its document expired, unless a person allowed it or it is disabled', async () => {
    const deleteExpired = (): Promise<number> => server.get(RetentionService).deleteExpired(Date.now());
    const ids = ['unused', 'allowed', 'disabled'].map((name) => `https://assistant.example/${name}.json`);
    for (const id of ids) {
      const document = { client_id: id, client_name: 'Mural Helper', redirect_uris: [REDIRECT_URI] };
      host.serve(document, { 'Cache-Control': 'no-store' });
      expect((await browser.get(buildPath(id))).status).toBe(200);
    }
    await grantConsent(browser, buildPath(ids[1]!));
    await server.get(AppsService).disable((await server.get(AppsStore).get(ids[2]!)).id);
    const appId = (await find(ids[0]!))!.id;
    const fields = { endpoint: 'GET /authorize', errorCode: 'invalid_scope', reason: 'A test.', accepted: null };
    const call = { digest: 'a'.repeat(43), appId, count: 1, sentValues: [], ...fields };
    await server.get(FailedCallsStore).save(appId, [{ ...call, firstFailedAt: new Date(), lastFailedAt: new Date() }]);
    const list = async (): Promise<boolean[]> => (await Promise.all(ids.map(find))).map((app) => app !== null);
    advanceClock(7 * DAY_MS);
    await deleteExpired();
    expect(await list()).toEqual([true, true, true]);
    expect(await server.get(FailedCallsStore).list(appId)).toHaveLength(1);
    advanceClock(7 * DAY_MS + 120_000);
    await deleteExpired();
    expect(await list()).toEqual([false, true, true]);
    expect(await server.get(FailedCallsStore).list(appId)).toEqual([]);
  });
});
