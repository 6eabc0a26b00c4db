import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { DataSource, type EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { Region } from '../../src/markers/region.entity.js';
import { newSqliteDatabase, type TestDatabase } from '../support/database.js';
import { newAccount, newApp, newToken, newTokens } from '../support/factories.js';
import { Service } from '../support/service.js';

const region = { id: 'reg_x', name: 'X', west: 0, south: 0, east: 1, north: 1, createdAt: new Date() };

describe('An SQLite file', () => {
  let database: TestDatabase;
  let service: Service;
  let token: string;

  beforeAll(async () => {
    database = await newSqliteDatabase();
    service = await Service.start({ DATABASE_URL: database.url });
    token = await newToken(service);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const pragma = async (manager: EntityManager, name: string): Promise<unknown> => {
    const [row] = await manager.query<Record<string, unknown>[]>(`PRAGMA ${name}`);
    return Object.values(row!)[0];
  };

  it('is written with a write-ahead log, for whose way to the disk we wait ourselves, and for other processes', async () => {
    await service.get(Transactions).run(async (tx) => {
      expect(await pragma(tx, 'journal_mode')).toBe('wal');
      expect(await pragma(tx, 'synchronous')).toBe(1);
      expect(await pragma(tx, 'busy_timeout')).toBeGreaterThan(0);
      expect(await pragma(tx, 'foreign_keys')).toBe(1);
    });
  });

  it('is waited for while another process writes, and reads go on meanwhile', async () => {
    const other = new Database(database.url.slice('sqlite:'.length));
    other.exec('BEGIN IMMEDIATE');
    const writing = service.get(Transactions).run((tx) => tx.insert(Region, region));
    const isWritten = jest.fn();
    void writing.then(isWritten);
    const { status } = await service.call('GET', '/api/markers', { token });
    expect(status).toBe(200);
    expect(isWritten).not.toHaveBeenCalled();
    other.exec('COMMIT');
    other.close();
    await writing;
    expect(await service.database.existsBy(Region, { id: region.id })).toBe(true);
  });

  it('is let go of when the service stops', async () => {
    const own = await newSqliteDatabase();
    await (await Service.start({ DATABASE_URL: own.url })).stop();
    expect(existsSync(own.url.slice('sqlite:'.length))).toBe(true);
    expect(existsSync(`${own.url.slice('sqlite:'.length)}-wal`)).toBe(false);
    await own.drop();
  });

  it('is read by a connection that cannot write', async () => {
    expect(await pragma(service.get(DataSource).manager, 'query_only')).toBe(1);
  });
});

describe('An SQLite file whose disk fails', () => {
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

  it('answers nobody that a change is kept, then or later, and reads go on', async () => {
    const { app, credentials } = await newApp(service);
    const issued = await newTokens(service, { app, account: await newAccount(service) });
    const transactions = service.get(Transactions);
    await transactions['log']!.close();

    const refreshing = { grant_type: 'refresh_token', refresh_token: issued.refresh_token, ...credentials };
    const refreshed = await service.call('POST', '/api/oauth/token', { body: refreshing });
    expect(refreshed).toMatchObject({ status: 500, body: { error: 'server_error' } });
    await expect(transactions.run((tx) => tx.insert(Region, region))).rejects.toThrow('file closed');
    await expect(transactions.run(() => Promise.resolve())).rejects.toThrow('file closed');
    expect((await service.call('GET', '/api/markers', { token: issued.access_token })).status).toBe(200);
  });
});
