import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { SigningKey } from '../../src/identity/keys/signing-key.entity.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { issueAccessToken } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

describe('Signing keys', () => {
  let database: TestDatabase;
  let one: TestServer;

  beforeAll(async () => {
    database = await createDatabase();
    one = await TestServer.start({ DATABASE_URL: database.url });
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await one.stop();
    await database.drop();
  });

  it('appear and disappear in other processes within one second', async () => {
    const before = await issueAccessToken(one);
    expect((await one.request('GET', '/api/markers', { token: before })).status).toBe(200);
    await one.get(TransactionService).run((tx) => tx.delete(SigningKey, { algorithm: 'ES256' }));
    const two = await TestServer.start({ DATABASE_URL: database.url });
    const token = await issueAccessToken(two);
    advanceClock(2 * SECOND_MS);
    const { status } = await one.request('GET', '/api/markers', { token });
    const deleted = await one.request('GET', '/api/markers', { token: before });
    await two.stop();
    expect({ status, deleted: deleted.status }).toEqual({ status: 200, deleted: 401 });
  });

  it('are stored encrypted', async () => {
    const rows = await one.entityManager.find(SigningKey);
    expect(rows.map(({ algorithm }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    for (const row of rows)
      expect(Buffer.from(row.encryptedPrivateKey, 'base64url').toString('latin1')).not.toMatch(/PRIVATE/);
  });

  it('stop the start when MASTER_SECRET cannot decrypt them', async () => {
    const start = TestServer.start({ DATABASE_URL: database.url, MASTER_SECRET: 'quite another secret' });
    await expect(start).rejects.toThrow(/MASTER_SECRET does not decrypt the signing keys/);
  });
});
