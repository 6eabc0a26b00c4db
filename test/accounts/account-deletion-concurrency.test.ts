import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { BrowserClient } from '../support/browser-client.js';
import { PersonWithData } from '../support/person-with-data.js';
import { TestServer } from '../support/test-server.js';

/** The number of rounds: two transactions do not always collide in the first one. */
const ROUND_COUNT = 4;

/** Rows that an account must not have after its deletion. */
const LIVE_ROWS = [
  'SELECT id FROM sessions WHERE account_id = :id',
  'SELECT id FROM authorizations WHERE account_id = :id AND revoked_at IS NULL',
  'SELECT id FROM consents WHERE account_id = :id AND withdrawn_at IS NULL',
  'SELECT id FROM apps WHERE owner_id = :id',
  'SELECT id FROM collections WHERE owner_id = :id',
  `SELECT id FROM edits WHERE author_id = :id AND status = 'open'`,
  'SELECT id FROM audit_events WHERE account_id = :id AND (detail IS NOT NULL OR ip_address IS NOT NULL)',
];

describe('A deletion', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ TRUST_PROXY: 'true' });
  });
  afterAll(() => server.stop());

  const expectDeleted = async ({ id }: Account): Promise<void> => {
    const account = await server.entityManager.findOneByOrFail(Account, { id });
    expect(account).toMatchObject({ name: '', username: `deleted:${id}`, role: 'member', deletedAt: expect.any(Date) });
    for (const sql of LIVE_ROWS)
      expect({ sql, rows: await server.entityManager.query(sql.replace(':id', `'${id}'`)) }).toEqual({ sql, rows: [] });
  };

  it('is complete when the person and the apps act at the same moment', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const person = await PersonWithData.create(server, `busy${round}`);
      const moderator = await person.issueModeratorToken();
      const { id, username } = person.account;
      const form = { name: `Late app ${round}`, redirectUris: 'https://late.example.org/cb', scope: 'markers:read' };
      const edit = { type: 'update', targetType: 'artwork', targetId: person.markerId, baseVersion: 2 };
      const responses = await Promise.all([
        person.refresh(),
        person.request('POST', `/api/edits/${person.openEditId}/accept`, {}, moderator),
        person.request('POST', '/api/edits', { ...edit, changes: { year: 1990 + round } }),
        person.request('POST', '/api/collections', { name: 'Late' }),
        server.get(DeletionService).delete(person.account),
        person.browser.post('/developer/apps', form),
        new BrowserClient(server).post('/sign-in', { username, password: 'correct horse' }),
      ]);
      const statuses = responses.flatMap((response) => response?.status ?? []);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      await expectDeleted(person.account);
      expect((await person.request('GET', '/api/oauth/userinfo')).status).toBe(401);
      expect(id).toMatch(/^usr_/);
    }
  });

  it('leaves the account unchanged when one of its steps fails', async () => {
    const person = await PersonWithData.create(server, 'kept');
    const deletion = server.get(DeletionService);
    await expect(deletion.delete({ ...person.account, passwordHash: 'of an older password' })).rejects.toThrow();
    expect((await person.refresh()).status).toBe(200);
    expect((await person.request('GET', `/api/collections/${person.collectionId}`)).status).toBe(200);
    expect((await person.browser.get('/account/apps')).status).toBe(200);
  });
});
