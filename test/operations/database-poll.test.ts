import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MailDeliveryService } from '../../src/platform/mail/mail-delivery.service.js';
import { DatabasePollService } from '../../src/platform/scheduling/database-poll.service.js';
import { isPostgres } from '../support/database.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { recordStatements } from '../support/record-statements.js';
import { TestServer } from '../support/test-server.js';

/** Statements of an idle process that the test waits for. */
const STATEMENT_COUNT = 7;

const MIN_STATEMENT_INTERVAL_MS = 500;

describe('The poll of the database', () => {
  let server: TestServer;
  let app: TestApp;
  let token: string;

  beforeEach(async () => {
    server = await TestServer.start({ SMTP_URL: 'smtp://127.0.0.1:1' });
    app = await registerApp(server);
    token = (await issueTokens(server, { app: app.app, account: await createAccount(server) })).access_token;
  });
  afterEach(() => server.stop());

  const fetchStatus = async (): Promise<number> => (await server.request('GET', '/api/edits/mine', { token })).status;
  const poll = (): Promise<void> => server.get(DatabasePollService).pollNow();
  const run = (sql: string): Promise<unknown> => server.get(TransactionService).run((tx) => tx.query(sql));
  /** Disables the app as another process does. */
  const disable = (): Promise<unknown> =>
    server.get(TransactionService).run((tx) => tx.update(App, { id: app.app.id }, { disabledAt: new Date() }));

  it('sends at most two statements a second while the process is idle', async () => {
    server.get(MailDeliveryService).start();
    const times: number[] = [];
    await new Promise<void>((resolve, reject) => {
      const onStatement = (): void => void (times.push(performance.now()) === STATEMENT_COUNT && resolve());
      recordStatements(server, onStatement).catch(reject);
    });
    const elapsedMs = times.at(-1)! - times[0]!;
    expect(elapsedMs).toBeGreaterThan((STATEMENT_COUNT - 1) * MIN_STATEMENT_INTERVAL_MS);
  });

  it('reads the rows of all modules with one statement', async () => {
    server.get(MailDeliveryService).start();
    server.get(DatabasePollService).start(60_000);
    const statements: string[] = [];
    await recordStatements(server, (statement) => statements.push(statement));
    await poll();
    expect(statements).toEqual([expect.stringMatching(/ accounts .* apps .* signing_keys.* outgoing_emails /s)]);
  });

  it.each(['signing_keys', 'outgoing_emails', 'accounts'])(
    'reads the other rows without the table %s',
    async (table) => {
      server.get(MailDeliveryService).start();
      await run(`ALTER TABLE ${table} RENAME TO missing_table`);
      await disable();
      await poll();
      expect(await fetchStatus()).toBe(403);
      await run(`ALTER TABLE missing_table RENAME TO ${table}`);
    },
  );

  it('keeps the rows that it cannot read, and replaces them when it can', async () => {
    await server.get(AppsService).disable(app.app.id);
    await run('ALTER TABLE apps RENAME TO missing_table');
    await poll();
    expect(await fetchStatus()).toBe(403);
    await run('ALTER TABLE missing_table RENAME TO apps');
    await server.get(AppsService).enable(app.app.id);
    expect(await fetchStatus()).toBe(200);
  });

  it('stops the start of a process that cannot read the rows', async () => {
    const { DATABASE_URL } = server.settings;
    await run('ALTER TABLE apps RENAME TO missing_table');
    await expect(TestServer.start({ DATABASE_URL })).rejects.toThrow(/apps/);
    await run('ALTER TABLE missing_table RENAME TO apps');
  });

  if (isPostgres) {
    it('reads the other rows while a statement waits for a locked table', async () => {
      const locked = new HeldTransaction(server.get(TransactionService), 'before the last write', (tx) =>
        tx.query('LOCK TABLE signing_keys IN ACCESS EXCLUSIVE MODE'),
      );
      await locked.reached;
      const findWaiting = async (): Promise<string[]> => {
        const rows = await server.entityManager.query<{ start: string }[]>(
          `SELECT query_start::text AS start FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM apps%'`,
        );
        return rows.map(({ start }) => start);
      };
      let waiting: string[];
      do waiting = await findWaiting();
      while (waiting.length === 0);
      await disable();
      while ((await fetchStatus()) !== 403);
      expect(await findWaiting()).toEqual(expect.arrayContaining(waiting));
      locked.release('commit');
      await locked.ended;
    });
  }
});
