import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { ImportProgressStore } from '../../src/map/markers/import-progress.store.js';
import { MarkerImport } from '../../src/map/markers/marker-import.entity.js';
import { MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { lock, LOCKS, lockShared } from '../../src/platform/database/advisory-locks.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { isPostgres } from '../support/database.js';
import { createAccount, registerApp, TEST_PASSWORD } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const SIGN_UP_COUNT = 20;

const LISTENER = { onProgress: () => undefined, onSkipped: () => undefined };

describe('Advisory locks', () => {
  let server: TestServer;
  let source: DataSource;
  /** Transactions without time limits, which a test can hold. */
  let held: TransactionService;

  beforeAll(async () => {
    server = await TestServer.start();
    source = await new DataSource(createOrmConfig(server.settings.DATABASE_URL, 'migrate')).initialize();
    held = new TransactionService(source);
  });
  afterAll(async () => {
    await source.destroy();
    await server.stop();
  });

  it('have different numbers', () => {
    const numbers = Object.values(LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  if (!isPostgres) return;

  /** Starts transactions that stay open until the function that it returns is called. */
  const hold = async (
    ...starts: ((stayOpen: () => Promise<void>) => Promise<unknown>)[]
  ): Promise<() => Promise<void>> => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const transactions: Promise<unknown>[] = [];
    for (const start of starts) {
      await new Promise<void>((resolve, reject) => {
        const stayOpen = (): Promise<void> => {
          resolve();
          return ended;
        };
        const transaction = start(stayOpen);
        transaction.catch(reject);
        transactions.push(transaction);
      });
    }
    return async () => {
      end();
      await Promise.all(transactions);
    };
  };

  const holdSignUp =
    (username: string) =>
    (stayOpen: () => Promise<void>): Promise<unknown> =>
      held.run(async (tx) => {
        const account = await createAccount(server, { username: `${username}-template` });
        const [id, email] = [generateId('usr'), `${username}@example.org`];
        const names = { username, normalizedUsername: username, email, normalizedEmail: email };
        await server.get(AccountsStore).insert(tx, { ...account, id, ...names });
        await stayOpen();
      });
  const holdImport =
    (sourceKey: string) =>
    (stayOpen: () => Promise<void>): Promise<unknown> => {
      const progress = new ImportProgressStore(source.getRepository(MarkerImport), held);
      return progress.writeBatch(sourceKey, { processed: 0, imported: 0 }, 1, async () => {
        await stayOpen();
        return 0;
      });
    };
  const holdLock =
    (take: (tx: EntityManager) => Promise<void>) =>
    (stayOpen: () => Promise<void>): Promise<unknown> =>
      held.run(async (tx) => {
        await take(tx);
        await stayOpen();
      });

  const signUp = (): Promise<unknown> =>
    Promise.all(
      Array.from({ length: SIGN_UP_COUNT }, (_, index) =>
        createAccount(server, index === 0 ? { password: TEST_PASSWORD } : {}),
      ),
    );
  const importMarker = (title: string): Promise<{ imported: number }> => {
    const geometry = { type: 'Point', coordinates: [1, 1] };
    const features = [{ type: 'Feature', geometry, properties: { title } }];
    return server
      .get(MarkersImportService)
      .importGeoJson(JSON.stringify({ type: 'FeatureCollection', features }), LISTENER);
  };

  /** Resolves when a transaction of this database waits for an advisory lock. */
  const waitForWaiter = async (): Promise<void> => {
    const waiters = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await source.query<object[]>(waiters)).length === 0);
  };

  it('let sign-ups, an import and retention run beside open transactions of a sign-up and an import', async () => {
    const end = await hold(holdSignUp('ada'), holdImport('first'));
    const [, imported] = await Promise.all([
      signUp(),
      importMarker('Heron'),
      server.get(RetentionService).deleteExpired(Date.now()),
      registerApp(server, { ownerId: (await createAccount(server)).id }),
    ]);
    expect(imported).toMatchObject({ imported: 1 });
    await end();
  });

  it('let sign-ups, an import, a registration and a new region run beside retention', async () => {
    const end = await hold(holdLock((tx) => lock(tx, 'expiredRows')));
    await Promise.all([
      signUp(),
      importMarker('Kingfisher'),
      registerApp(server),
      server.get(RegionsService).findOrCreate('One', [4, 51, 6, 53]),
    ]);
    await end();
  });

  it('exclude two sign-ups with the same username', async () => {
    const end = await hold(holdSignUp('grace'));
    const second = createAccount(server, { username: 'grace', email: 'other@example.org' });
    const outcome = second.catch((error: unknown) => error);
    await waitForWaiter();
    await end();
    expect(await outcome).toMatchObject({ fieldErrors: [{ field: 'username', code: 'usernameTaken' }] });
  });

  it('exclude two imports of the same source, and a new region during an import', async () => {
    const end = await hold(holdImport('second'));
    const before = { processed: 1, imported: 0 };
    const batch = server.get(ImportProgressStore).writeBatch('second', before, 1, () => Promise.resolve(0));
    await waitForWaiter();
    await end();
    expect(await batch).toMatchObject({ processed: 2 });

    const endRead = await hold(holdLock((tx) => lockShared(tx, 'regions')));
    const region = server.get(RegionsService).findOrCreate('Two', [14, 51, 16, 53]);
    await waitForWaiter();
    await endRead();
    expect(await region).toMatchObject({ name: 'Two' });
  });

  it('of several ids are taken in one order', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const transactions = server.get(TransactionService);
    for (let round = 0; round < 5; round++) {
      await Promise.all([names, names.toReversed()].map((ids) => transactions.run((tx) => lock(tx, 'logins', ...ids))));
    }
  });
});
