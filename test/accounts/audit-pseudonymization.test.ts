import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService, runAsOperator } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const PSEUDONYMIZE = 'detail = NULL, ip_address = NULL';

/** Updates of other columns, with new values. */
const OTHER_UPDATES = [
  `id = 'evt_x', ${PSEUDONYMIZE}`,
  `occurred_at = 1, ${PSEUDONYMIZE}`,
  `type = 'account.blocked', ${PSEUDONYMIZE}`,
  `account_id = NULL, ${PSEUDONYMIZE}`,
  `app_id = 'app_x', ${PSEUDONYMIZE}`,
  `authorization_id = 'aut_x', ${PSEUDONYMIZE}`,
  `by_operator = true, ${PSEUDONYMIZE}`,
  `detail = 'x', ip_address = NULL`,
  `detail = NULL, ip_address = '192.0.2.1'`,
];

describe('The audit log', () => {
  let server: TestServer;
  let living: Account;
  let deleted: Account;

  beforeAll(async () => {
    server = await TestServer.start();
    [living, deleted] = [await createAccount(server), await createAccount(server)];
    await server.get(DeletionService).delete(deleted);
    for (const { id } of [living, deleted]) await record(id);
    await record(null);
  });
  afterAll(() => server.stop());

  const record = (accountId: string | null): Promise<void> =>
    server.get(TransactionService).run(async (tx) => {
      const entry = { type: 'sign_in.failed', accountId, detail: '5' } as const;
      await server.get(AuditService).record(tx, entry);
    });

  const execute = (sql: string): Promise<unknown> => server.get(TransactionService).run((tx) => tx.query(sql));

  const update = (accountId: string, set: string): Promise<unknown> =>
    execute(`UPDATE audit_events SET ${set} WHERE account_id = '${accountId}'`);

  it('keeps the events of a living account', async () => {
    await expect(update(living.id, PSEUDONYMIZE)).rejects.toThrow(/never changed/);
  });

  it('keeps events without an account', async () => {
    await expect(execute(`UPDATE audit_events SET ${PSEUDONYMIZE} WHERE account_id IS NULL`)).rejects.toThrow(
      /never changed/,
    );
  });

  it.each(OTHER_UPDATES)('rejects the update %s of a deleted account', async (set) => {
    await expect(update(deleted.id, set)).rejects.toThrow(/never changed/);
  });

  it('names every column in a rejected update', () => {
    const columns = server.entityManager.connection.getMetadata(AuditEvent).columns;
    for (const { databaseName } of columns) expect(OTHER_UPDATES.join()).toContain(`${databaseName} =`);
  });

  it.each(['living', 'deleted'])('rejects the deletion of the events of a %s account', async (state) => {
    const { id } = state === 'living' ? living : deleted;
    await expect(execute(`DELETE FROM audit_events WHERE account_id = '${id}'`)).rejects.toThrow(/never changed/);
  });

  it('lets the events of a deleted account lose their details and IP addresses, and nothing else', async () => {
    const where = { accountId: deleted.id };
    const before = await server.entityManager.find(AuditEvent, { where, order: { id: 'ASC' } });
    await update(deleted.id, PSEUDONYMIZE);
    const after = await server.entityManager.find(AuditEvent, { where, order: { id: 'ASC' } });
    expect(after).toEqual(before.map((event) => ({ ...event, detail: null, ipAddress: null })));
  });

  it('names the operator as the cause of an event only inside a command', async () => {
    const { id } = await createAccount(server);
    await record(id);
    await runAsOperator(() => record(id));
    const events = await server.entityManager.find(AuditEvent, { where: { accountId: id }, order: { id: 'ASC' } });
    expect(events.map(({ byOperator }) => byOperator)).toEqual([false, true]);
  });
});
