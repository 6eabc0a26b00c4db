import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { runCli } from '../support/run-command.js';
import { ServerCluster } from '../support/server-cluster.js';
import { sendRequest, type TestResponse } from '../support/test-server.js';

/** Milliseconds within which every process rejects a disabled app and accepts an enabled one. */
const PROPAGATION_TIMEOUT_MS = 2_000;

const APP_DISABLED = {
  error: 'This app was disabled by the people who run the map.',
  code: 'app_disabled',
};

/** A route of each kind: a read scope, a write scope, userinfo, and an optional token. */
const ROUTES: [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/edits/mine'],
  ['POST', '/api/collections', { name: 'Foxes' }],
  ['GET', '/api/oauth/userinfo'],
  ['POST', '/api/oauth/userinfo'],
  ['GET', '/api/collections/col_00000000000000000000000000'],
];

describe('A disabled app', () => {
  let cluster: ServerCluster;
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    cluster = await ServerCluster.start({ processes: 2 });
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    app = await registerApp(cluster.testServer);
    token = await issueToken();
  });

  const issueToken = async (scopes?: Scope[], by = app): Promise<string> => {
    const account = await createAccount(cluster.testServer);
    const tokens = await issueTokens(cluster.testServer, { app: by.app, account, ...(scopes && { scopes }) });
    return tokens.access_token;
  };
  const call = (url: string, [method, path, body]: (typeof ROUTES)[number], by = token): Promise<TestResponse> =>
    sendRequest(url, method, path, { token: by, body });
  const setAvailability = (action: 'disable' | 'enable'): Promise<unknown> =>
    runCli(cluster.database.url, 'apps', action, app.app.id);

  /** Repeats a call to every process until all responses have the status. */
  const waitForStatus = async (status: number): Promise<void> => {
    const deadline = performance.now() + PROPAGATION_TIMEOUT_MS;
    for (const url of cluster.urls) {
      while ((await call(url, ROUTES[0]!)).status !== status) expect(performance.now()).toBeLessThan(deadline);
    }
  };

  it('is rejected on every API route within 2 s in every process, and works again after it is enabled', async () => {
    for (const url of cluster.urls) expect((await call(url, ROUTES[0]!)).status).toBe(200);
    await setAvailability('disable');
    await waitForStatus(403);
    for (const url of cluster.urls) {
      for (const route of ROUTES) {
        const { status, body, headers } = await call(url, route);
        expect({ route, status, body }).toEqual({ route, status: 403, body: APP_DISABLED });
        expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
      }
    }
    await setAvailability('enable');
    await waitForStatus(200);
  });

  it('is rejected at once in the process that disables it, also by its owner', async () => {
    const { url } = cluster.testServer;
    const owner = await createAccount(cluster.testServer);
    const apps = cluster.testServer.get(AppsService);
    const owned = await registerApp(cluster.testServer, { ownerId: owner.id });
    const ownedToken = await issueToken(undefined, owned);
    await apps.disable(owned.app.id, owner.id);
    expect(await call(url, ROUTES[0]!, ownedToken)).toMatchObject({ status: 403, body: APP_DISABLED });
    await apps.enable(owned.app.id, owner.id);
    expect((await call(url, ROUTES[0]!, ownedToken)).status).toBe(200);
  });

  it('is rejected after an invalid token and before a missing scope', async () => {
    const { url } = cluster.testServer;
    const narrow = await issueToken(['markers:read']);
    expect((await call(url, ROUTES[0]!, narrow)).body.error).toMatch(/scope/);
    await cluster.testServer.get(AppsService).disable(app.app.id);
    expect(await call(url, ROUTES[0]!, `${token}x`)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    expect(await call(url, ROUTES[0]!, narrow)).toMatchObject({ status: 403, body: APP_DISABLED });
  });

  it('does not affect other apps and calls without a token', async () => {
    const { url } = cluster.testServer;
    const other = await registerApp(cluster.testServer);
    await cluster.testServer.get(AppsService).disable(app.app.id);
    expect((await call(url, ROUTES[0]!, await issueToken(undefined, other))).status).toBe(200);
    expect((await sendRequest(url, 'GET', '/api/collections/col_00000000000000000000000000')).status).toBe(404);
  });
});
