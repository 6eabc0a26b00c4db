import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_PARTITIONS } from '../../src/platform/audit/audit.module.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { listPartitions } from '../../src/platform/database/partitions.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { PartitionsService } from '../../src/platform/scheduling/partitions.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { isPostgres } from '../support/database.js';
import { DAY_MS, restoreClock, setClock } from '../support/fake-clock.js';
import { runNode } from '../support/run-command.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { TestServer } from '../support/test-server.js';

const RETENTION_DAYS = 365;

describe('The retention of the audit log', () => {
  let server: TestServer;
  let unlimited: TestServer;

  beforeAll(async () => {
    unlimited = await TestServer.start();
    const { DATABASE_URL } = unlimited.settings;
    server = await TestServer.start({ DATABASE_URL, AUDIT_RETENTION: String(RETENTION_DAYS * 86_400) });
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await server.stop();
    await unlimited.stop();
  });

  /** Inserts an event of a past day. @returns its id */
  const insertEvent = async (daysAgo: number): Promise<string> => {
    const id = generateId('evt');
    const occurredAt = new Date(Date.now() - daysAgo * DAY_MS);
    await server.get(TransactionService).run((tx) => tx.insert(AuditEvent, { id, occurredAt, type: 'keys.rotated' }));
    return id;
  };
  const exists = (id: string): Promise<boolean> => server.entityManager.existsBy(AuditEvent, { id });
  const remove = (id: string): Promise<unknown> =>
    server.get(TransactionService).run((tx) => tx.query(`DELETE FROM audit_events WHERE id = '${id}'`));

  it('keeps all events without AUDIT_RETENTION', async () => {
    const old = await insertEvent(10_000);
    await unlimited.get(RetentionService).deleteExpired(Date.now());
    expect(await exists(old)).toBe(true);
    await expect(remove(old)).rejects.toThrow(/never changed/);
  });

  it('deletes the events that are older than AUDIT_RETENTION, and keeps the younger ones', async () => {
    const [old, young] = [await insertEvent(RETENTION_DAYS + 1), await insertEvent(RETENTION_DAYS - 1)];
    expect(await server.get(RetentionService).deleteExpired(Date.now())).toBeGreaterThan(0);
    expect([await exists(old), await exists(young)]).toEqual([false, true]);
  });

  it('does not allow the deletion of younger events, nor an update of older ones', async () => {
    const [old, young] = [await insertEvent(RETENTION_DAYS + 1), await insertEvent(RETENTION_DAYS - 1)];
    await server.get(RetentionService).deleteExpired(Date.now());
    await expect(remove(young)).rejects.toThrow(/never changed/);
    const older = await insertEvent(RETENTION_DAYS + 2);
    const update = `UPDATE audit_events SET detail = 'x' WHERE id = '${older}'`;
    await expect(server.get(TransactionService).run((tx) => tx.query(update))).rejects.toThrow(/never changed/);
    expect([await exists(old), await exists(older)]).toEqual([false, true]);
  });

  it('is applied by tokens purge', async () => {
    const [old, young] = [await insertEvent(2), await insertEvent(0)];
    const { DATABASE_URL } = server.settings;
    const environment = { ...TEST_SETTINGS, DATABASE_URL, AUDIT_RETENTION: '86400' };
    const { code, json } = await runNode(['dist/src/cli.js', 'tokens', 'purge', '--json'], environment);
    expect({ code, json }).toEqual({ code: 0, json: { deleted: expect.any(Number) } });
    expect([await exists(old), await exists(young)]).toEqual([false, true]);
  });

  if (isPostgres) {
    it('drops whole partitions of events, and no partition with a younger one', async () => {
      setClock(Date.UTC(2031, 0, 15));
      await server.get(PartitionsService).createAhead();
      const old = await insertEvent(0);
      setClock(Date.UTC(2031, 1, 1));
      const young = await insertEvent(0);
      setClock(Date.UTC(2031, 1, 1) + RETENTION_DAYS * DAY_MS);
      await server.get(RetentionService).deleteExpired(Date.now());
      const names = (await listPartitions(server.entityManager, AUDIT_PARTITIONS)).map(({ name }) => name);
      expect(names).toContain('audit_events_20310201');
      expect(names).not.toContain('audit_events_20310101');
      expect([await exists(old), await exists(young)]).toEqual([false, true]);
    });
  }
});
