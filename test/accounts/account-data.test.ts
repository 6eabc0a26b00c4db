import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { PersonalDataRegistry } from '../../src/identity/accounts/personal-data.registry.js';
import { PersonWithData } from '../support/person-with-data.js';
import { TestServer } from '../support/test-server.js';

/** Tables that no module registers, with the reason. */
const TABLES_WITHOUT_ACCOUNT_DATA: Record<string, string> = {
  artists: 'the public map',
  idempotent_responses: 'encrypted with a refresh token or an idempotency key, deleted after 24 hours',
  map_change_counter: 'number of the latest change of the public map',
  map_change_epochs: 'starts of processes',
  map_changes: 'the public map',
  marker_imports: 'progress of the operator’s imports',
  markers: 'the public map',
  marker_artists: 'the public map',
  rate_limit_windows: 'digests of networks, accounts and apps, deleted when the window ends',
  regions: 'the public map',
  scheduled_tasks: 'leases of processes',
  sign_in_attempt_counters: 'digests without an account, deleted one hour after the last attempt',
  signing_keys: 'keys of the service',
  used_passkey_challenges: 'digests without an account, deleted after 5 minutes',
};

/** Columns that keep text of a deleted person, with the reason. */
const KEPT_TEXT: Record<string, string> = {
  'apps.name': 'the map names the app of each edit',
  'edits.comment': 'text that the person published with an edit',
};

describe('Data about people', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ TRUST_PROXY: 'true' });
  });
  afterAll(() => server.stop());

  const listTables = (): string[] => server.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);

  /** Returns the columns, as `table.column`, in which a stored value contains one of the texts. */
  const findColumns = async (texts: string[]): Promise<string[]> => {
    const found = new Set<string>();
    for (const table of listTables()) {
      for (const row of await server.entityManager.query<object[]>(`SELECT * FROM "${table}"`)) {
        for (const [column, value] of Object.entries(row)) {
          const stored = String(value).toLowerCase();
          if (texts.some((text) => stored.includes(text.toLowerCase()))) found.add(`${table}.${column}`);
        }
      }
    }
    return [...found].sort();
  };

  it('is registered for export and deletion by the module of each table', () => {
    const dataSource = server.get(DataSource);
    const registered = server.get(PersonalDataRegistry).listEntities();
    const tables = registered.map((entity) => dataSource.getMetadata(entity).tableName);
    expect([...tables, ...Object.keys(TABLES_WITHOUT_ACCOUNT_DATA)].sort()).toEqual(listTables().sort());
  });

  it('is in every registered table with a reference to an account', () => {
    const references = server
      .get(DataSource)
      .entityMetadatas.filter(({ columns }) =>
        columns.some(({ databaseName }) => /account_id|owner_id|author_id|decided_by/.test(databaseName)),
      );
    expect(references.filter(({ tableName }) => tableName in TABLES_WITHOUT_ACCOUNT_DATA)).toEqual([]);
    expect(references.length).toBeGreaterThan(8);
  });

  it('is in no table after the deletion of the account, except published text', async () => {
    const person = await PersonWithData.create(server, 'zebedee-quill');
    const { username, email, name, ipAddress, userAgent } = person.identity;
    const texts = [username, email, name, ipAddress, userAgent];
    await person.browser.post('/account/export', { password: 'correct horse' });
    const before = await findColumns(texts);
    expect(before).toEqual(
      expect.arrayContaining(['accounts.email', 'audit_events.ip_address', 'sessions.user_agent']),
    );
    await person.delete();
    expect(await findColumns(texts)).toEqual(Object.keys(KEPT_TEXT));
  });

  it('stays complete for other people', async () => {
    const [leaver, other] = [
      await PersonWithData.create(server, 'leaver'),
      await PersonWithData.create(server, 'other'),
    ];
    const { username, email, name, ipAddress } = other.identity;
    const before = await findColumns([username, email, name, ipAddress]);
    await leaver.delete();
    expect(await findColumns([username, email, name, ipAddress])).toEqual(before);
    expect((await other.refresh()).status).toBe(200);
    expect((await other.request('GET', `/api/collections/${other.collectionId}`)).status).toBe(200);
  });
});
