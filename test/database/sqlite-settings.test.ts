import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { newSqliteDatabase, type TestDatabase } from '../support/database.js';
import { Service } from '../support/service.js';

describe('An SQLite file', () => {
  let database: TestDatabase;
  let service: Service;

  beforeAll(async () => {
    database = await newSqliteDatabase();
    service = await Service.start({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const pragma = async (manager: EntityManager, name: string): Promise<unknown> => {
    const [row] = await manager.query<Record<string, unknown>[]>(`PRAGMA ${name}`);
    return Object.values(row!)[0];
  };

  it('is written with a write-ahead log, synchronous to the disk, waiting for other processes', async () => {
    await service.get(Transactions).run(async (tx) => {
      expect(await pragma(tx, 'journal_mode')).toBe('wal');
      expect(await pragma(tx, 'synchronous')).toBe(2);
      expect(await pragma(tx, 'busy_timeout')).toBeGreaterThanOrEqual(5000);
      expect(await pragma(tx, 'foreign_keys')).toBe(1);
    });
  });

  it('is read by a connection that cannot write', async () => {
    expect(await pragma(service.get(DataSource).manager, 'query_only')).toBe(1);
  });
});
