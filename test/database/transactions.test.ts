import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { runInTransaction } from '../../src/platform/database/run-in-transaction.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Region } from '../../src/map/regions/region.entity.js';
import { isPostgres } from '../support/database.js';
import { countRoundTrips } from '../support/record-statements.js';
import { TestServer } from '../support/test-server.js';

describe('Transactions', () => {
  let server: TestServer;
  let transactions: TransactionService;

  beforeAll(async () => {
    server = await TestServer.start();
    transactions = server.get(TransactionService);
  });
  afterAll(() => server.stop());

  const region = (name: string): Region =>
    Object.assign(new Region(), {
      id: `reg_${name}`,
      name,
      west: 0,
      south: 0,
      east: 1,
      north: 1,
      createdAt: new Date(),
    });
  const names = async (): Promise<string[]> => (await server.entityManager.find(Region)).map(({ name }) => name).sort();

  it('roll back without an effect on concurrent transactions', async () => {
    const work = Array.from({ length: 40 }, (_, index) =>
      transactions.run(async (tx) => {
        await tx.insert(Region, region(`${index}a`));
        await tx.findBy(Region, {});
        await tx.insert(Region, region(`${index}b`));
        if (index % 3 === 0) throw new Error('Changed its mind.');
      }),
    );
    const settled = await Promise.allSettled(work);
    const stored = settled.flatMap(({ status }, index) => (status === 'fulfilled' ? [`${index}a`, `${index}b`] : []));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(14);
    expect(await names()).toEqual(stored.sort());
  });

  it('are invisible to readers until they commit', async () => {
    const before = await names();
    let within: string[] = [];
    await transactions.run(async (tx) => {
      await tx.insert(Region, region('half'));
      within = await names();
    });
    expect(within).toEqual(before);
    expect(await names()).toEqual([...before, 'half'].sort());
  });

  it('continue after a transaction with an invalid statement', async () => {
    await expect(transactions.run((tx) => tx.insert(Region, region('half')))).rejects.toThrow(/unique|UNIQUE/);
    await transactions.run((tx) => tx.insert(Region, region('next')));
    expect(await names()).toContain('next');
  });

  it('run registered work once, immediately before the commit', async () => {
    const order: string[] = [];
    await transactions.run(async (tx) => {
      transactions.beforeCommit(tx, async (same) => {
        order.push('registered');
        await same.insert(Region, region('registered'));
      });
      order.push('own');
      await tx.insert(Region, region('own'));
    });
    await transactions.run((tx) => tx.insert(Region, region('without work')));
    expect(order).toEqual(['own', 'registered']);
    expect(await names()).toEqual(expect.arrayContaining(['own', 'registered']));
  });

  it('roll back if the registered work fails, and skip it if they fail themselves', async () => {
    const failing = transactions.run(async (tx) => {
      transactions.beforeCommit(tx, () => Promise.reject(new Error('Too late.')));
      await tx.insert(Region, region('failing'));
    });
    await expect(failing).rejects.toThrow('Too late.');
    let hasRun = false;
    const failed = transactions.run((tx) => {
      transactions.beforeCommit(tx, () => Promise.resolve(void (hasRun = true)));
      return Promise.reject(new Error('Changed its mind.'));
    });
    await expect(failed).rejects.toThrow('Changed its mind.');
    expect(hasRun).toBe(false);
    expect(await names()).not.toContain('failing');
  });

  it('reject work that is registered without an open transaction', async () => {
    const register = (tx: EntityManager): void => transactions.beforeCommit(tx, () => Promise.resolve());
    expect(() => register(server.entityManager)).toThrow('open transaction');
    const ended = await transactions.run((tx) => Promise.resolve(tx));
    expect(() => register(ended)).toThrow('open transaction');
  });

  if (isPostgres) {
    it('roll back when the connection breaks, and the next ones succeed', async () => {
      const broken = transactions.run(async (tx) => {
        await tx.insert(Region, region('broken'));
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
      });
      await expect(broken).rejects.toThrow();
      await transactions.run((tx) => tx.insert(Region, region('after the break')));
      expect(await names()).toEqual(expect.not.arrayContaining(['broken']));
      expect(await names()).toContain('after the break');
    });

    it('leave nothing of a timed-out transaction for the next one', async () => {
      const options = createOrmConfig(server.settings.DATABASE_URL, 'write');
      const extra = { query_timeout: 200, max: 1 };
      const impatient = await new DataSource({ ...options, extra }).initialize();
      const change = (name: string): Promise<unknown> =>
        runInTransaction(impatient, async ({ manager }) => {
          await manager.insert(Region, region(name));
          await manager.update(Region, { id: 'reg_next' }, { north: 2 });
        });
      await transactions.run(async (tx) => {
        await tx.update(Region, { id: 'reg_next' }, { north: 3 });
        await expect(change('too slow')).rejects.toThrow(/timeout/);
      });
      await change('in time');
      await impatient.destroy();
      expect(await names()).toContain('in time');
      expect(await names()).not.toContain('too slow');
    });

    it.each([1, 2])('store nothing if their first statement fails, execution %i', async (execution) => {
      const { transactions: reserved } = server.get(ReservedConnections);
      for (const [index, writes] of [transactions, reserved].entries()) {
        const next = `next ${execution} ${index}`;
        const failed = writes.run(async (tx) => {
          await tx.insert(Region, region('half')).catch(() => undefined);
          await tx.insert(Region, region(next));
        });
        await expect(failed).rejects.toThrow(/current transaction is aborted/);
        await writes.run((tx) => tx.insert(Region, region(next)));
        expect(await names()).toContain(next);
      }
    });

    it('execute a first statement that failed before, because its table did not exist', async () => {
      const { transactions: reserved } = server.get(ReservedConnections);
      const read = (): Promise<unknown> => reserved.run((tx) => tx.query('SELECT $1::text AS x FROM later', ['1']));
      await expect(read()).rejects.toThrow('relation "later" does not exist');
      await transactions.run((tx) => tx.query('CREATE TABLE later AS SELECT 1'));
      expect([await read(), await read()]).toEqual([[{ x: '1' }], [{ x: '1' }]]);
    });

    it.each([
      ["INSERT INTO texts VALUES ('1')", undefined],
      ["INSERT INTO texts VALUES ('1'); SELECT 1", undefined],
      ['INSERT INTO texts VALUES ($1)', ['1']],
      ['SELECT 1', null],
      ['', undefined],
      ['', ['1']],
    ])('roll back the first statement %p with the parameters %p, awaited or not', async (sql, values) => {
      await transactions.run((tx) => tx.query('CREATE TABLE IF NOT EXISTS texts (text text)'));
      for (const writes of [transactions, server.get(ReservedConnections).transactions]) {
        for (const isAwaited of [true, false]) {
          const failed = writes.run(async (tx) => {
            const first = tx.query(sql, values as unknown[]).catch(() => undefined);
            if (isAwaited) await first.then(() => tx.query('INSERT INTO texts VALUES ($1)', ['2']));
            throw new Error('Changed its mind.');
          });
          await expect(failed).rejects.toThrow(/Changed its mind|aborted/);
          expect(await transactions.run((tx) => tx.query('SELECT * FROM texts'))).toEqual([]);
        }
      }
    });

    it('return the result of a first statement without parameters', async () => {
      const read = (sql: string): Promise<unknown> => transactions.run((tx) => tx.query(sql));
      expect(await read('SELECT 1 AS x')).toEqual([{ x: 1 }]);
      await expect(read('-- nothing')).resolves.toBeDefined();
      await expect(read('SELECT 1 AS x; SELECT nothing')).rejects.toThrow('column "nothing" does not exist');
    });

    it('start in the same round trip as their first statement, and need none without a statement', async () => {
      const { transactions: reserved, pool } = server.get(ReservedConnections);
      const read = (tx: EntityManager): Promise<unknown> => tx.findBy(Region, { id: 'reg_next' });
      for (const [writes, source] of [
        [transactions, server.get(DataSource)],
        [reserved, pool!],
      ] as const) {
        await writes.run(read);
        const roundTrips = countRoundTrips(source);
        await writes.run(() => Promise.resolve());
        await expect(writes.run(() => Promise.reject(new Error('Changed its mind.')))).rejects.toThrow();
        expect(roundTrips()).toBe(0);
        await writes.run(read);
        expect(roundTrips()).toBe(2);
      }
    });

    it('run in sessions with a time limit, and without just-in-time compilation', async () => {
      const sql = `SELECT current_setting('statement_timeout') AS timeout, current_setting('jit') AS jit`;
      expect(await server.entityManager.query(sql)).toEqual([{ timeout: '9500ms', jit: 'off' }]);
      expect(await transactions.run((tx) => tx.query(sql))).toEqual([{ timeout: '9500ms', jit: 'off' }]);
    });
    return;
  }

  it('continue after a full disk: confirmed commits are stored, and failed ones are not', async () => {
    const limit = (pages: string): Promise<unknown> =>
      transactions.run((tx) => tx.query(`PRAGMA max_page_count = ${pages}`));
    const [size] = await server.entityManager.query<{ page_count: number }[]>('PRAGMA page_count');
    await limit(String(size!.page_count));
    const full = transactions.run(async (tx) => {
      for (let index = 0; index < 1000; index++) await tx.insert(Region, region(`much ${index}`));
    });
    await expect(full).rejects.toThrow(/full/);
    await limit('1073741823');
    await transactions.run((tx) => tx.insert(Region, region('after')));
    const rejection = transactions.run(async (tx) => {
      await tx.insert(Region, region('refused'));
      throw new Error('Not so.');
    });
    await expect(rejection).rejects.toThrow('Not so.');
    await transactions.run((tx) => tx.insert(Region, region('and on')));
    expect(await names()).toEqual(expect.arrayContaining(['after', 'and on']));
    expect((await names()).filter((name) => /much|refused/.test(name))).toEqual([]);
  });

  it('are the only way to write on SQLite: a repository cannot write', async () => {
    const writing = server.get(DataSource).manager.insert(Region, region('past the queue'));
    await expect(writing).rejects.toThrow(/readonly database/);
  });
});
