import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { KeyRotationService } from '../../src/identity/keys/key-rotation.service.js';
import type { SigningKey } from '../../src/identity/keys/signing-key.entity.js';
import { decodeJwtHeader } from '../support/resource-owner.js';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { runCli, createTempFolder, ServerProcess } from '../support/server-process.js';
import { type TestResponse, type ResponseBody, sendRequest, TestServer } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

/** Milliseconds in which all processes know a new key, and in which all sign with it. */
const KEY_PUBLICATION_TIMEOUT_MS = 2_000;
const KEY_ACTIVATION_TIMEOUT_MS = 10_000;

describe('Many processes on one database', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  /** This process, which makes what the tests need. */
  let here: TestServer;
  let processes: ServerProcess[];
  let person: Account;
  let app: TestApp;
  let tokens: ResponseBody;

  beforeAll(async () => {
    [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
    here = await TestServer.start({ DATABASE_URL: database.url });
    const { BASE_URL, MASTER_SECRET } = here.settings;
    const environment = { DATABASE_URL: database.url, BASE_URL, MASTER_SECRET: MASTER_SECRET[0]!, DEMO_DATA: 'off' };
    const count = isPostgres ? 4 : 2;
    processes = await Promise.all(Array.from({ length: count }, () => ServerProcess.start(folder.path, environment)));
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await here.stop();
    await database.drop();
    await folder.remove();
  });
  beforeEach(async () => {
    [person, app] = await Promise.all([createAccount(here), registerApp(here)]);
    tokens = await issueTokens(here, { app: app.app, account: person });
  });

  const refresh = async ({ url }: ServerProcess): Promise<TestResponse> => {
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...app.credentials };
    const answer = await sendRequest(url, 'POST', '/api/oauth/token', { body });
    if (answer.status === 200) tokens = answer.body;
    return answer;
  };
  const collect = ({ url }: ServerProcess): Promise<TestResponse> =>
    sendRequest(url, 'POST', '/api/collections', { token: tokens.access_token, body: { name: 'Foxes' } });
  const kidsAt = async ({ url }: ServerProcess): Promise<string[]> =>
    (await sendRequest(url, 'GET', '/api/oauth/jwks')).body.keys.map(({ kid }: ResponseBody) => kid);

  /** Asks every process once. */
  const everywhere = async <T>(expected: T, ask: (process: ServerProcess) => Promise<T>): Promise<void> => {
    const seen: T[] = [];
    for (const one of processes) seen.push(await ask(one));
    expect(seen).toEqual(processes.map(() => expected));
  };
  const refreshed = async (one: ServerProcess): Promise<unknown> => {
    const { status, body } = await refresh(one);
    return status === 200 ? 'refreshed' : body.error;
  };

  it('all refuse a person who was blocked by the command line', async () => {
    await everywhere(201, async (one) => (await collect(one)).status);
    await everywhere('refreshed', refreshed);
    await runCli(database.url, 'accounts', 'block', person.username, '--reason', 'Spam');
    await everywhere(403, async (one) => (await collect(one)).status);
    await everywhere('invalid_grant', refreshed);
  });

  it('all refuse an app that was disabled by the command line', async () => {
    await everywhere('refreshed', refreshed);
    await runCli(database.url, 'apps', 'disable', app.credentials.client_id);
    await everywhere('invalid_client', refreshed);
  });

  it('all refuse an app whose access the person removed at one of them', async () => {
    const browser = new BrowserClient(processes[0]!);
    await browser.signIn(person);
    await everywhere('refreshed', refreshed);
    expect((await browser.post('/account/apps', { what: app.app.id })).status).toBe(303);
    await everywhere('invalid_grant', refreshed);
  });

  it('all refuse a token that was revoked at one of them', async () => {
    await everywhere('refreshed', refreshed);
    const body = { token: tokens.refresh_token, ...app.credentials };
    expect((await sendRequest(processes[0]!.url, 'POST', '/api/oauth/revoke', { body })).status).toBe(200);
    await everywhere('invalid_grant', refreshed);
  });

  it('all know who signed in at one of them', async () => {
    const nearest = { url: processes[0]!.url };
    const browser = new BrowserClient(nearest);
    await browser.signIn(person);
    await everywhere(200, ({ url }) => {
      nearest.url = url;
      return browser.get('/account/apps').then(({ status }) => status);
    });
  });

  it('replace their signing keys by keys rotate while they are busy: no request fails, and none signs before all know', async () => {
    let added: ResponseBody[] = [];
    void runCli(database.url, 'keys', 'rotate').then(({ json }) => (added = json as ResponseBody[]));
    const signers = new Set<ServerProcess>();
    const deadline = Date.now() + KEY_ACTIVATION_TIMEOUT_MS;
    while (signers.size < processes.length && Date.now() < deadline) {
      for (const one of processes) {
        expect((await refresh(one)).status).toBe(200);
        const token: string = tokens.access_token;
        const { kid } = decodeJwtHeader(token);
        const others = await Promise.all(
          processes.map(async (other) => ({
            knows: (await kidsAt(other)).includes(kid),
            status: (await sendRequest(other.url, 'GET', '/api/markers', { token })).status,
          })),
        );
        expect(others).toEqual(processes.map(() => ({ knows: true, status: 200 })));
        if (added.some((key) => key.kid === kid)) signers.add(one);
      }
    }
    expect(signers.size).toBe(processes.length);
  });

  it('all show a new signing key within two seconds, be they ever so idle', async () => {
    const [{ kid }] = (await here.get(KeyRotationService).rotate()) as [SigningKey];
    const deadline = Date.now() + KEY_PUBLICATION_TIMEOUT_MS;
    const knows = async (one: ServerProcess): Promise<boolean> => (await kidsAt(one)).includes(kid);
    const knowInTime = async (one: ServerProcess): Promise<boolean> => {
      while (!(await knows(one))) if (Date.now() > deadline) return false;
      return true;
    };
    expect(await Promise.all(processes.map(knowInTime))).toEqual(processes.map(() => true));
  });

  it('keep the keys that they know while they cannot look for new ones', async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      here.get(TransactionService).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('signing_keys', 'keys_away');
    try {
      await Promise.all(processes.map((one) => one.waitForOutput(/Cannot look for new signing keys/g)));
      for (const one of processes) {
        expect((await refresh(one)).status).toBe(200);
        expect((await collect(one)).status).toBe(201);
      }
    } finally {
      await rename('keys_away', 'signing_keys');
    }
  });
});
