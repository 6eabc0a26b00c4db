import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { LOCKS } from '../../src/platform/database/advisory-locks.js';
import { lockRow } from '../../src/platform/database/lock-row.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { isPostgres } from '../support/database.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const ROUND_COUNT = 5;

describe('Concurrent writes with one Idempotency-Key', () => {
  let collections: CollectionsFixture;
  /** Another process on the same database. */
  let otherServer: TestServer;
  let held: HeldTransaction;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
    otherServer = await TestServer.start({ DATABASE_URL: collections.server.settings.DATABASE_URL });
  });
  beforeEach(() => collections.createOwner());
  afterAll(async () => {
    await otherServer.stop();
    await collections.server.stop();
  });

  const create = (server: TestServer, key: string): Promise<TestResponse> =>
    server.request('POST', '/api/collections', {
      token: collections.ownerToken,
      body: { name: key },
      headers: { 'Idempotency-Key': key },
    });
  const listNames = async (): Promise<string[]> =>
    ((await collections.get('', collections.ownerToken)).body.data as { name: string }[]).map(({ name }) => name);
  const isReplay = ({ headers }: TestResponse): boolean => headers.get('idempotency-replayed') === 'true';

  /** Starts a request that waits for the row of the account. */
  async function startHeldRequest(key: string): Promise<Promise<TestResponse>[]> {
    const transactions = collections.server.get(TransactionService);
    held = new HeldTransaction(transactions, 'before the last write', async (tx) => {
      await lockRow(tx, Account, { where: { id: collections.owner.id } });
    });
    await held.reached;
    const request = create(collections.server, key);
    while (transactions.pendingCount < 2 || !(await hasLock())) await new Promise(setImmediate);
    return [request];
  }

  /** Whether a request holds the lock of its key. SQLite needs no lock. */
  async function hasLock(): Promise<boolean> {
    if (!isPostgres) return true;
    const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS.idempotencyKeys}`;
    return (await collections.server.entityManager.query<object[]>(sql)).length > 0;
  }

  it('are rejected at once while the first one runs', async () => {
    const [first] = await startHeldRequest('Held');
    for (const server of isPostgres ? [collections.server, otherServer] : [collections.server]) {
      const { status, body } = await create(server, 'Held');
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency_in_flight' });
    }
    held.release('commit');
    expect((await first!).status).toBe(201);
    for (const server of [collections.server, otherServer]) {
      const replay = await create(server, 'Held');
      expect({ body: replay.body as unknown, isReplay: isReplay(replay) }).toEqual({
        body: (await first!).body,
        isReplay: true,
      });
    }
    expect(await listNames()).toEqual(['Held', 'Foxes']);
  });

  it('write once in two processes', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const name = `Round ${round}`;
      const servers = [collections.server, otherServer, otherServer, collections.server];
      const responses = await Promise.all(servers.map((server) => create(server, name)));
      const created = responses.filter((response) => response.status === 201 && !isReplay(response));
      expect(created).toHaveLength(1);
      for (const response of responses) {
        if (response.status === 201) expect(response.body).toEqual(created[0]!.body);
        else
          expect({ status: response.status, code: response.body.code }).toEqual({
            status: 409,
            code: 'idempotency_in_flight',
          });
      }
    }
    expect(await listNames()).toHaveLength(1 + ROUND_COUNT);
  });
});
