import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { FaultScenario } from '../support/fault-scenario.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { defineMigration, defineMigrationWithoutTransaction, migrateWith } from '../support/test-migration.js';

/** A migration waits 2 seconds for a lock. The rest is the time of the statement itself. */
const MAX_WAIT_MS = 3_000;

describe('Online migrations', () => {
  let cluster: PostgresCluster;
  let client: pg.Client;
  const reports = new EventEmitter();
  const report = (message: string): unknown => reports.emit('message', message);

  const connect = async (): Promise<pg.Client> => {
    const connected = new pg.Client({ connectionString: cluster.url });
    await connected.connect();
    return connected;
  };

  /** Opens a transaction that has read a table, and so keeps an `ACCESS SHARE` lock. */
  const openReader = async (table: string): Promise<pg.Client> => {
    const reader = await connect();
    await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM ${table}`);
    return reader;
  };

  const readIndexes = async (table: string): Promise<object[]> => {
    const sql = `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
      WHERE indrelid = '${table}'::regclass AND NOT indisprimary ORDER BY 1`;
    return (await client.query<object>(sql)).rows;
  };

  beforeAll(async () => {
    cluster = await PostgresCluster.start();
    client = await connect();
    await migrateWith(cluster.url, []);
  });
  afterAll(async () => {
    await client.end();
    await cluster.drop();
  });
  beforeEach(() => client.query('CREATE TABLE walls (id integer PRIMARY KEY, street text)'));
  afterEach(async () => {
    reports.removeAllListeners();
    await client.query(`DROP TABLE walls; DELETE FROM migrations WHERE "timestamp" >= 4000000000000`);
  });

  it('apply each migration in its own transaction, and continue after a crash', async () => {
    const first = defineMigration('AddArtist4000000000001', (runner) =>
      runner.query('ALTER TABLE walls ADD COLUMN artist text'),
    );
    const killed = defineMigration('AddCity4000000000002', async (runner) => {
      await runner.query('ALTER TABLE walls ADD COLUMN city text');
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      await runner.query('SELECT 1');
    });
    await expect(migrateWith(cluster.url, [first, killed])).rejects.toThrow();

    const second = defineMigration('AddCity4000000000002', (runner) =>
      runner.query('ALTER TABLE walls ADD COLUMN city text'),
    );
    expect(await migrateWith(cluster.url, [first, second])).toEqual(['AddCity4000000000002']);
    expect(await migrateWith(cluster.url, [first, second])).toEqual([]);
  });

  it('build an index while a transaction that writes to the table is open', async () => {
    const writer = await connect();
    await writer.query('BEGIN; INSERT INTO walls VALUES (1)');
    const migration = defineMigrationWithoutTransaction('IndexStreets4000000000001', (runner) =>
      runner.query('CREATE INDEX CONCURRENTLY walls_street ON walls (street)'),
    );
    const applied = migrateWith(cluster.url, [migration]);
    await waitForLockWait(client);
    await client.query('INSERT INTO walls VALUES (2)');
    await writer.query('COMMIT');
    expect(await applied).toEqual(['IndexStreets4000000000001']);
    expect(await readIndexes('walls')).toEqual([{ name: 'walls_street', valid: true }]);
    await writer.end();
  });

  it('are applied by one process, while a process that waits does not block the index', async () => {
    const reader = await openReader('walls');
    const migration = defineMigrationWithoutTransaction('IndexStreets4000000000001', (runner) =>
      runner.query('CREATE INDEX CONCURRENTLY walls_street ON walls (street)'),
    );
    const waiting = once(reports, 'message');
    const applied = Promise.all([1, 2].map(() => migrateWith(cluster.url, [migration], report)));
    expect(await waiting).toEqual(['Another process migrates the database. This process waits for it.']);
    await waitForLockWait(client);
    await reader.query('COMMIT');
    expect((await applied).flat()).toEqual(['IndexStreets4000000000001']);
    await reader.end();
  });

  it('without a transaction can be repeated after a failure', async () => {
    const createUniqueIndex = async (runner: QueryRunner): Promise<void> => {
      await runner.query('DROP INDEX CONCURRENTLY IF EXISTS walls_street');
      await runner.query('CREATE UNIQUE INDEX CONCURRENTLY walls_street ON walls (street)');
    };
    await client.query(`INSERT INTO walls VALUES (1, 'A'), (2, 'A')`);
    const migration = defineMigrationWithoutTransaction('IndexStreets4000000000001', createUniqueIndex);
    await expect(migrateWith(cluster.url, [migration])).rejects.toThrow('could not create unique index');
    expect(await readIndexes('walls')).toEqual([{ name: 'walls_street', valid: false }]);

    await client.query(`UPDATE walls SET street = 'B' WHERE id = 2`);
    expect(await migrateWith(cluster.url, [migration])).toEqual(['IndexStreets4000000000001']);
    expect(await readIndexes('walls')).toEqual([{ name: 'walls_street', valid: true }]);
  });

  it('retry under load until a reader ends, and no statement waits longer than the attempt', async () => {
    const scenario = await FaultScenario.start(() => Promise.resolve(cluster), 4);
    const load = new RefreshLoad(scenario.chains, [scenario.server.url]);
    await load.waitForTokens(20);
    const reader = await openReader('refresh_tokens');
    const probe = new StatementProbe(await connect(), 'SELECT 1 FROM refresh_tokens LIMIT 1');
    const waiting = once(reports, 'message');
    const migration = defineMigration('AddNote4000000000001', (runner) =>
      runner.query('ALTER TABLE refresh_tokens ADD COLUMN note text'),
    );
    const applied = migrateWith(cluster.url, [migration], report);
    expect(await waiting).toEqual([
      'Migration AddNote4000000000001 waits for a lock that another transaction holds. It tries again every 5 seconds.',
    ]);
    await load.waitForMoreTokens(100);
    await waitForLockWait(client);
    await reader.query('COMMIT');
    expect(await applied).toEqual(['AddNote4000000000001']);
    await load.waitForMoreTokens(20);
    const longest = await probe.stop();
    expect(longest).toBeGreaterThan(1_000);
    expect(longest).toBeLessThan(MAX_WAIT_MS);
    expect((await load.stop()).map((outcome) => (typeof outcome === 'string' ? outcome : outcome.status))).toEqual(
      scenario.chains.map(() => 200),
    );
    await scenario.verify();
    await scenario.server.stop();
    for (const chain of scenario.chains) chain.close();
    await reader.end();
    await client.query('ALTER TABLE refresh_tokens DROP COLUMN note');
  });
});

/** Waits until a session waits for a lock. */
async function waitForLockWait(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ '^(ALTER|CREATE)'`,
    );
    if (rowCount) return;
  }
}

/** Executes a statement again and again, and measures how long the slowest one takes. */
class StatementProbe {
  private isStopped = false;
  private readonly longest: Promise<number>;

  constructor(
    private readonly client: pg.Client,
    private readonly sql: string,
  ) {
    this.longest = this.run();
  }

  /** @returns milliseconds of the slowest statement */
  async stop(): Promise<number> {
    this.isStopped = true;
    return this.longest.finally(() => this.client.end());
  }

  private async run(): Promise<number> {
    let longest = 0;
    while (!this.isStopped) {
      const started = performance.now();
      await this.client.query(this.sql);
      longest = Math.max(longest, performance.now() - started);
    }
    return longest;
  }
}
