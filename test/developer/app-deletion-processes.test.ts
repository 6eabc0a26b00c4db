import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppDeletionService } from '../../src/identity/apps/app-deletion.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { runCli } from '../support/run-command.js';
import { ServerCluster } from '../support/server-cluster.js';
import { sendRequest } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

/** Milliseconds within which every process rejects a deleted app. */
const PROPAGATION_TIMEOUT_MS = 2_000;

describe('A deleted app', () => {
  let cluster: ServerCluster;

  beforeAll(async () => {
    cluster = await ServerCluster.start();
  });
  afterAll(() => cluster.stop());

  const listUrls = (): string[] => [cluster.testServer.url, ...cluster.urls];

  it('is rejected at once at the token endpoint of every process, and within 2 s by the API', async () => {
    const account = await createAccount(cluster.testServer);
    const app = await registerApp(cluster.testServer, { ownerId: account.id });
    const tokens = await issueTokens(cluster.testServer, { app: app.app, account });
    await cluster.testServer.get(AppDeletionService).delete(app.app.id, account.id);
    const deadline = performance.now() + PROPAGATION_TIMEOUT_MS;
    for (const url of listUrls()) {
      const response = await refreshTokens({ url }, app, tokens.refresh_token);
      expect(response).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      const call = (): Promise<{ status: number }> =>
        sendRequest(url, 'GET', '/api/edits/mine', { token: tokens.access_token });
      while ((await call()).status !== 403) expect(performance.now()).toBeLessThan(deadline);
    }
  });

  it('is deleted once by its owner in two processes and by a command at the same time', async () => {
    const account = await createAccount(cluster.testServer);
    const apps: TestApp[] = [];
    for (let count = 0; count < 4; count++) apps.push(await registerApp(cluster.testServer, { ownerId: account.id }));
    const browsers = await Promise.all(
      listUrls().map((url) => openSignedInBrowser({ url } as typeof cluster.testServer, account)),
    );
    for (const { app } of apps) {
      const responses = await Promise.all([
        ...browsers.map((browser) => browser.post(`/developer/apps/${app.id}/delete`, {})),
        runCli(cluster.database.url, 'apps', 'delete', app.id).then(({ code }) => ({ status: code })),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([303, 303, 0]);
    }
    const { json: events } = await runCli(cluster.database.url, 'audit', '--account', account.username);
    const types = (events as { type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === 'app.deleted')).toHaveLength(apps.length);
    const { json: listed } = await runCli(cluster.database.url, 'apps', 'list');
    expect(listed).toEqual([]);
  });
});
