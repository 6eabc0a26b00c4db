import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { SigningKey } from '../../src/keys/signing-key.entity.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { newToken } from '../support/factories.js';
import { Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';

describe('Signing keys', () => {
  let database: TestDatabase;
  let one: Service;

  beforeAll(async () => {
    database = await newDatabase();
    one = await Service.start({ DATABASE_URL: database.url });
  });
  afterEach(backToNow);
  afterAll(async () => {
    await one.stop();
    await database.drop();
  });

  it('of another process are known here a second later, and those taken away no more', async () => {
    const before = await newToken(one);
    expect((await one.call('GET', '/api/markers', { token: before })).status).toBe(200);
    await one.get(Transactions).run((tx) => tx.delete(SigningKey, { algorithm: 'ES256' }));
    const two = await Service.start({ DATABASE_URL: database.url });
    const token = await newToken(two);
    later(2 * SECOND);
    const { status } = await one.call('GET', '/api/markers', { token });
    const deleted = await one.call('GET', '/api/markers', { token: before });
    await two.stop();
    expect({ status, deleted: deleted.status }).toEqual({ status: 200, deleted: 401 });
  });

  it('are stored sealed', async () => {
    const rows = await one.database.find(SigningKey);
    expect(rows.map(({ algorithm }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    for (const row of rows)
      expect(Buffer.from(row.sealedPrivateKey, 'base64url').toString('latin1')).not.toMatch(/PRIVATE/);
  });

  it('cannot be opened with another MASTER_SECRET: the start fails and says so', async () => {
    const start = Service.start({ DATABASE_URL: database.url, MASTER_SECRET: 'quite another secret' });
    await expect(start).rejects.toThrow(/MASTER_SECRET does not open the signing keys/);
  });
});
