import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { KeyRotationService } from '../../src/identity/keys/key-rotation.service.js';
import type { SigningKey } from '../../src/identity/keys/signing-key.entity.js';
import { decodeJwtHeader } from '../support/jwt.js';
import { isPostgres } from '../support/database.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { ServerCluster } from '../support/server-cluster.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';
import type { ServerProcess } from '../support/server-process.js';
import { runCli } from '../support/run-command.js';
import { type TestResponse, type ResponseBody, sendRequest } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

/** Milliseconds within which all processes publish a new key, and within which all sign with it. */
const KEY_PUBLICATION_TIMEOUT_MS = 2_000;
const KEY_ACTIVATION_TIMEOUT_MS = 10_000;

describe('Multiple processes on one database', () => {
  let cluster: ServerCluster;
  let account: Account;
  let app: TestApp;
  let tokens: ResponseBody;

  beforeAll(async () => {
    cluster = await ServerCluster.start({ processes: isPostgres ? 4 : 2 });
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    const { testServer } = cluster;
    [account, app] = await Promise.all([createAccount(testServer), registerApp(testServer)]);
    tokens = await issueTokens(testServer, { app: app.app, account });
  });

  const refreshAt = async (process: ServerProcess): Promise<TestResponse> => {
    const response = await refreshTokens(process, app, tokens.refresh_token as string);
    if (response.status === 200) tokens = response.body;
    return response;
  };
  const createCollection = ({ url }: ServerProcess): Promise<TestResponse> =>
    sendRequest(url, 'POST', '/api/collections', { token: tokens.access_token, body: { name: 'Foxes' } });
  const fetchKeyIds = async ({ url }: ServerProcess): Promise<string[]> =>
    (await sendRequest(url, 'GET', '/api/oauth/jwks')).body.keys.map(({ kid }: ResponseBody) => kid);

  /** Sends one request to every process. */
  const expectAtEveryProcess = async <T>(expected: T, send: (process: ServerProcess) => Promise<T>): Promise<void> => {
    const results: T[] = [];
    for (const one of cluster.processes) results.push(await send(one));
    expect(results).toEqual(cluster.processes.map(() => expected));
  };
  const tryRefresh = async (process: ServerProcess): Promise<unknown> => {
    const { status, body } = await refreshAt(process);
    return status === 200 ? 'refreshed' : body.error;
  };

  it('reject an account that the command line blocked', async () => {
    await expectAtEveryProcess(201, async (one) => (await createCollection(one)).status);
    await expectAtEveryProcess('refreshed', tryRefresh);
    await runCli(cluster.database.url, 'accounts', 'block', account.username, '--reason', 'Spam');
    await expectAtEveryProcess(403, async (one) => (await createCollection(one)).status);
    await expectAtEveryProcess('invalid_grant', tryRefresh);
  });

  it('reject an app that the command line disabled', async () => {
    await expectAtEveryProcess('refreshed', tryRefresh);
    await runCli(cluster.database.url, 'apps', 'disable', app.credentials.client_id);
    await expectAtEveryProcess('invalid_client', tryRefresh);
  });

  it('reject an app after one process removed its access', async () => {
    const browser = new BrowserClient(cluster.serverProcess);
    await browser.signIn(account);
    await expectAtEveryProcess('refreshed', tryRefresh);
    expect((await browser.post('/account/apps', { what: app.app.id })).status).toBe(303);
    await expectAtEveryProcess('invalid_grant', tryRefresh);
  });

  it('reject a token after one process revoked it', async () => {
    await expectAtEveryProcess('refreshed', tryRefresh);
    const { status } = await revokeToken(cluster.serverProcess, app, tokens.refresh_token as string);
    expect(status).toBe(200);
    await expectAtEveryProcess('invalid_grant', tryRefresh);
  });

  it('accept a session of one process', async () => {
    const target = { url: cluster.serverProcess.url };
    const browser = new BrowserClient(target);
    await browser.signIn(account);
    await expectAtEveryProcess(200, ({ url }) => {
      target.url = url;
      return browser.get('/account/apps').then(({ status }) => status);
    });
  });

  it('rotate the signing keys without a failed request, and sign with a key after all processes know it', async () => {
    let added: ResponseBody[] = [];
    let deadline = Infinity; // the command itself has a time limit
    const rotation = runCli(cluster.database.url, 'keys', 'rotate').then(({ json }) => {
      added = json as ResponseBody[];
      deadline = Date.now() + KEY_ACTIVATION_TIMEOUT_MS;
    });
    const signers = new Set<ServerProcess>();
    while (signers.size < cluster.processes.length && Date.now() < deadline) {
      for (const one of cluster.processes) {
        expect((await refreshAt(one)).status).toBe(200);
        const token: string = tokens.access_token;
        const { kid } = decodeJwtHeader(token);
        const others = await Promise.all(
          cluster.processes.map(async (other) => ({
            knows: (await fetchKeyIds(other)).includes(kid),
            status: (await sendRequest(other.url, 'GET', '/api/markers', { token })).status,
          })),
        );
        expect(others).toEqual(cluster.processes.map(() => ({ knows: true, status: 200 })));
        if (added.some((key) => key.kid === kid)) signers.add(one);
      }
    }
    await rotation;
    expect(signers.size).toBe(cluster.processes.length);
  });

  it('publish a new signing key within two seconds without requests', async () => {
    const [{ kid }] = (await cluster.testServer.get(KeyRotationService).rotate()) as [SigningKey];
    const deadline = Date.now() + KEY_PUBLICATION_TIMEOUT_MS;
    const knows = async (process: ServerProcess): Promise<boolean> => (await fetchKeyIds(process)).includes(kid);
    const knowsInTime = async (process: ServerProcess): Promise<boolean> => {
      while (!(await knows(process))) if (Date.now() > deadline) return false;
      return true;
    };
    expect(await Promise.all(cluster.processes.map(knowsInTime))).toEqual(cluster.processes.map(() => true));
  });

  it('use the known keys while they cannot load new ones', async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      cluster.testServer.get(TransactionService).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('signing_keys', 'keys_away');
    try {
      await Promise.all(cluster.processes.map((one) => one.waitForOutput(/database_poll_failed.*signing_keys/g)));
      for (const one of cluster.processes) {
        expect((await refreshAt(one)).status).toBe(200);
        expect((await createCollection(one)).status).toBe(201);
      }
    } finally {
      await rename('keys_away', 'signing_keys');
    }
  });
});
