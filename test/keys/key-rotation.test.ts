import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { KeyRotationService } from '../../src/identity/keys/key-rotation.service.js';
import { SigningKey } from '../../src/identity/keys/signing-key.entity.js';
import { IdTokensService } from '../../src/identity/openid/id-tokens.service.js';
import { decodeJwtHeader } from '../support/jwt.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createAccount, registerApp, issueAccessToken } from '../support/factories.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';

const HOUR_MS = 3600 * SECOND_MS;

describe('Key rotation', () => {
  let database: TestDatabase;
  let server: TestServer;
  let rotation: KeyRotationService;

  beforeEach(async () => {
    database = await createDatabase();
    server = await TestServer.start({ DATABASE_URL: database.url });
    rotation = server.get(KeyRotationService);
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
    await database.drop();
  });

  const kids = async (): Promise<string[]> =>
    (await server.entityManager.find(SigningKey, { order: { createdAt: 'ASC', kid: 'ASC' } })).map(({ kid }) => kid);
  const published = async (): Promise<string[]> =>
    (await server.request('GET', '/api/oauth/jwks')).body.keys.map(({ kid }: ResponseBody) => kid);
  const fetchStatus = async (token: string): Promise<number> =>
    (await server.request('GET', '/api/markers', { token })).status;
  /** Waits for an access token that another key than the given ones signed. */
  const tokenOfAnother = async (known: string[]): Promise<string> => {
    for (;;) {
      const token = await issueAccessToken(server);
      if (!known.includes(decodeJwtHeader(token).kid)) return token;
    }
  };
  const events = async (type: AuditEvent['type']): Promise<string[]> =>
    (await server.entityManager.findBy(AuditEvent, { type })).map(({ detail }) => detail!);

  it('creates one key of each algorithm with keys rotate, and records it in the audit', async () => {
    const before = await kids();
    const created: ResponseBody[] = await new Cli(database.url).runJson('keys', 'rotate');
    expect(created.map(({ algorithm }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(Object.keys(created[0])).toEqual(['kid', 'algorithm', 'created_at']);
    expect((await kids()).sort()).toEqual([...before, ...created.map(({ kid }) => kid)].sort());
    expect(await events('keys.rotated')).toEqual([
      created.map(({ algorithm, kid }) => `${algorithm} ${kid}`).join(', '),
    ]);
  });

  it('publishes a key before it signs, and keeps the signatures of the old keys valid', async () => {
    const [before, token] = [await kids(), await issueAccessToken(server)];
    await rotation.rotate();
    const after = await tokenOfAnother(before);
    expect((await published()).sort()).toEqual((await kids()).sort());
    expect([await fetchStatus(token), await fetchStatus(after)]).toEqual([200, 200]);
  });

  it('deletes a key after the last token that it signed expired', async () => {
    const before = await kids();
    const created = await rotation.rotate();
    advanceClock(HOUR_MS);
    await rotation.retireAndRotateDueKeys(Date.now());
    expect(await kids()).toHaveLength(4);
    advanceClock(HOUR_MS + SECOND_MS);
    await rotation.retireAndRotateDueKeys(Date.now());
    expect((await kids()).sort()).toEqual(created.map(({ kid }) => kid).sort());
    const [retired] = await events('keys.retired');
    for (const kid of before) expect(retired).toContain(kid);
  });

  it('keeps a key longer when access tokens live longer', async () => {
    await server.stop();
    server = await TestServer.start({ DATABASE_URL: database.url, ACCESS_TOKEN_LIFETIME: '86400' });
    await server.get(KeyRotationService).rotate();
    advanceClock(DAY_MS);
    await server.get(KeyRotationService).retireAndRotateDueKeys(Date.now());
    expect(await kids()).toHaveLength(4);
    advanceClock(HOUR_MS + SECOND_MS);
    await server.get(KeyRotationService).retireAndRotateDueKeys(Date.now());
    expect(await kids()).toHaveLength(2);
  });

  it('replaces a key after ninety days, and deletes no key at the same time', async () => {
    const before = await kids();
    advanceClock(90 * DAY_MS - HOUR_MS);
    await rotation.retireAndRotateDueKeys(Date.now());
    expect(await kids()).toEqual(before);
    advanceClock(HOUR_MS + SECOND_MS);
    await rotation.retireAndRotateDueKeys(Date.now());
    expect(await kids()).toHaveLength(4);
    await rotation.retireAndRotateDueKeys(Date.now());
    expect(await kids()).toEqual(expect.arrayContaining(before));
  });

  it('signs ID tokens with a new key after the apps had time to fetch it', async () => {
    const before = await kids();
    const created = await rotation.rotate();
    const { app } = await registerApp(server);
    const account = await createAccount(server);
    const idToken = (): string =>
      server.get(IdTokensService).sign({ account, app, scopes: [], authTime: new Date(), accessToken: 'any' });
    await tokenOfAnother(before);
    expect(before).toContain(decodeJwtHeader(idToken()).kid);
    advanceClock(600 * SECOND_MS);
    expect(created.map(({ kid }) => kid)).toContain(decodeJwtHeader(idToken()).kid);
  });

  it('replaces the keys at once with keys rotate --now, and rejects their tokens', async () => {
    const token = await issueAccessToken(server);
    const created: ResponseBody[] = await new Cli(database.url).runJson('keys', 'rotate', '--now');
    expect((await kids()).sort()).toEqual(created.map(({ kid }) => kid).sort());
    while ((await fetchStatus(token)) !== 401);
    expect(await fetchStatus(await issueAccessToken(server))).toBe(200);
    expect(await events('keys.retired')).toHaveLength(1);
  });

  it('encrypts the keys again under the first MASTER_SECRET, and then needs no other', async () => {
    const old = server.settings.MASTER_SECRET[0]!;
    const token = await issueAccessToken(server);
    const startWith = (MASTER_SECRET: string): Promise<TestServer> =>
      TestServer.start({ DATABASE_URL: database.url, MASTER_SECRET });
    await expect(startWith('quite another secret')).rejects.toThrow(/MASTER_SECRET does not decrypt/);

    const folder = await createTempFolder();
    const environment = { DATABASE_URL: database.url, NODE_ENV: 'test', DEMO_DATA: 'off' };
    const restarted = await ServerProcess.start(folder.path, {
      ...environment,
      MASTER_SECRET: `quite another secret,${old}`,
    });
    await restarted.waitForOutput(/"event":"signing_keys_reencrypted".*"count":2/g);
    await restarted.stop();
    await folder.remove();

    const after = await startWith('quite another secret');
    expect((await after.request('GET', '/api/markers', { token })).status).toBe(200);
    await after.stop();
    await expect(startWith(old)).rejects.toThrow(/MASTER_SECRET does not decrypt/);
  });
});
