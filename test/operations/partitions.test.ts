import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { UsedPasskeyChallenge } from '../../src/identity/accounts/passkeys/passkey.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { listPartitions, type Partition } from '../../src/platform/database/partitions.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MAX_SINGLE_DELETIONS, PartitionsService } from '../../src/platform/scheduling/partitions.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { isPostgres } from '../support/database.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, setClock } from '../support/fake-clock.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { TestServer } from '../support/test-server.js';

const REFRESH_TOKENS = { table: 'refresh_tokens', column: 'expires_at' };

/**
 * Two days before a month ends. Tests that create partitions use later years, because none is
 * created before the last one.
 */
const START = Date.UTC(2031, 0, 30);

describe('Partitions by month', () => {
  let server: TestServer;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => {
    setClock(START);
    app = await registerApp(server);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const issue = async (): Promise<string> =>
    (await issueTokens(server, { ...app, account: await createAccount(server) })).refresh_token;
  const refresh = async (token: string): Promise<string> => {
    const { status, body } = await refreshTokens(server, app, token);
    expect(status).toBe(200);
    return body.refresh_token as string;
  };
  const readError = async (token: string): Promise<string> =>
    (await refreshTokens(server, app, token)).body.error_description as string;
  const createAhead = (): Promise<void> => server.get(PartitionsService).createAhead();
  const deleteExpired = (): Promise<number> => server.get(RetentionService).deleteExpired(Date.now());

  it('find each token of a chain, let it be used once, and recognize its reuse', async () => {
    const used: string[] = [];
    let token = await issue();
    for (let month = 0; month < 3; month++) {
      await createAhead();
      used.push(token);
      token = await refresh(token);
      for (const old of used) expect(await readError(old)).toMatch(/already used/);
      advanceClock(19 * DAY_MS);
    }
  });

  it('recognize the reuse of a token until its history ends', async () => {
    const first = await issue();
    advanceClock(29 * DAY_MS);
    let token = await refresh(first);
    advanceClock(29 * DAY_MS);
    token = await refresh(token);
    advanceClock(DAY_MS);
    await deleteExpired();
    expect(await readError(first)).toMatch(/already used/);
    advanceClock(2 * DAY_MS);
    await deleteExpired();
    expect(await readError(first)).toMatch(/unknown/);
    await refresh(token);
  });

  if (isPostgres) describePostgres();

  function describePostgres(): void {
    const list = (one = server): Promise<Partition[]> => listPartitions(one.entityManager, REFRESH_TOKENS);
    const execute = (sql: string): Promise<unknown> => server.get(TransactionService).run((tx) => tx.query(sql));
    const getPartition = async (token: string): Promise<string> => {
      const [row] = await server.entityManager.query<{ name: string }[]>(
        'SELECT tableoid::regclass::text AS name FROM refresh_tokens WHERE digest = $1',
        [Buffer.from(computeDigest(token), 'base64url')],
      );
      return row!.name;
    };
    /** Inserts used tokens that expire at a time, in one chain. */
    const insertTokens = async (expiresAt: number, count: number): Promise<string> => {
      const token = await issue();
      const { authorizationId } = await server.entityManager.findOneByOrFail(RefreshToken, {
        digest: computeDigest(token),
      });
      await execute(`UPDATE authorizations SET created_at = 1 WHERE id = '${authorizationId}'`);
      await execute(`DELETE FROM refresh_tokens WHERE authorization_id = '${authorizationId}'`);
      const salt = randomBytes(8).toString('hex');
      await execute(`INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at, used_at)
        SELECT sha256(('${salt}' || n)::bytea), '${authorizationId}', 1, ${expiresAt}, 1 FROM generate_series(1, ${count}) n`);
      return authorizationId;
    };
    /** Opens a transaction that has read the table, until `release` is called. */
    const holdTable = (): { release: () => void; holder: Promise<void> } => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const holder = server.get(TransactionService).run(async (tx) => {
        await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
        await tx.query('LOCK TABLE refresh_tokens IN ACCESS SHARE MODE');
        await released;
      });
      return { release, holder };
    };
    const countTokens = (authorizationId: string): Promise<number> =>
      server.entityManager.countBy(RefreshToken, { authorizationId });

    it('exist for the tokens of the next month, also after the clock moved', async () => {
      for (const days of [0, 45, 100]) {
        setClock(Date.UTC(2032, 0, 30) + days * DAY_MS);
        await createAhead();
        expect((await list()).at(-1)!.to).toBeGreaterThan(Date.now() + 62 * DAY_MS);
        expect(await getPartition(await issue())).toMatch(/^refresh_tokens_2032\d{4}$/);
      }
    });

    it('exist for the audit events of the next month', async () => {
      await createAhead();
      const partitions = await listPartitions(server.entityManager, { table: 'audit_events', column: 'occurred_at' });
      expect(partitions.at(-1)!.to).toBeGreaterThan(Date.now() + 30 * DAY_MS);
    });

    it('take a token without a partition in the DEFAULT partition, which later loses it', async () => {
      setClock(Date.UTC(2033, 0, 15));
      const token = await issue();
      expect(await getPartition(token)).toBe('refresh_tokens_default');
      await createAhead();
      const successor = await refresh(token);
      expect(await readError(token)).toMatch(/already used/);
      expect(await getPartition(successor)).toBe('refresh_tokens_default');
      advanceClock(29 * DAY_MS);
      expect(await getPartition(await refresh(successor))).toBe('refresh_tokens_20330301');
      setClock(Date.UTC(2033, 5, 1));
      await deleteExpired();
      expect(await server.entityManager.query('SELECT * FROM refresh_tokens_default')).toEqual([]);
    });

    it('are dropped as a whole when all their tokens are past their history', async () => {
      const [march, april] = [Date.UTC(2036, 2, 1), Date.UTC(2036, 3, 1)];
      setClock(march - DAY_MS);
      await createAhead();
      const old = await insertTokens(april - 1, MAX_SINGLE_DELETIONS + 1);
      const young = await insertTokens(april, MAX_SINGLE_DELETIONS + 1);
      setClock(april + 29 * DAY_MS);
      await deleteExpired();
      expect(await countTokens(old)).toBe(MAX_SINGLE_DELETIONS + 1);
      setClock(april + 30 * DAY_MS + 1);
      expect(await deleteExpired()).toBeGreaterThan(MAX_SINGLE_DELETIONS + 1);
      expect((await list()).map(({ from }) => from)).not.toContain(march);
      expect([await countTokens(old), await countTokens(young)]).toEqual([0, MAX_SINGLE_DELETIONS + 1]);
      expect(await server.entityManager.countBy(Authorization, { id: old })).toBe(0);
      expect(await server.entityManager.countBy(Authorization, { id: young })).toBe(1);
    });

    it('are few if tokens live for years', async () => {
      const lifetime = 315_360_000;
      const other = await TestServer.start({ REFRESH_TOKEN_LIFETIME: String(lifetime) });
      const partitions = await list(other);
      await other.stop();
      expect(partitions.at(-1)!.to).toBeGreaterThan(Date.now() + lifetime * 1000);
      expect(partitions.length).toBeLessThan(20);
    });

    it('stay while a transaction uses them, and rows of other tables are deleted', async () => {
      setClock(Date.UTC(2038, 0, 15));
      await createAhead();
      const authorizationId = await insertTokens(Date.now(), 1);
      const challenge = { digest: 'old', expiresAt: new Date() };
      await server.get(TransactionService).run((tx) => tx.insert(UsedPasskeyChallenge, challenge));
      const { release, holder } = holdTable();
      advanceClock(90 * DAY_MS);
      await expect(deleteExpired()).rejects.toThrow(/lock timeout/);
      expect(await server.entityManager.existsBy(UsedPasskeyChallenge, { digest: 'old' })).toBe(false);
      release();
      await holder;
      await deleteExpired();
      expect(await countTokens(authorizationId)).toBe(0);
    });

    it('are created while a transaction holds the table, without delaying refreshes', async () => {
      setClock(Date.UTC(2037, 0, 15));
      let token = await issue();
      const { release, holder } = holdTable();
      const creation = createAhead();
      for (let count = 0; count < 10; count++) {
        const startedAt = performance.now();
        token = await refresh(token);
        expect(performance.now() - startedAt).toBeLessThan(3000);
      }
      release();
      await Promise.all([holder, creation]);
      expect((await list()).at(-1)!.to).toBeGreaterThan(Date.UTC(2037, 2, 1));
    });
  }
});
