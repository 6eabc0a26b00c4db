import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pass } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { BrowserClient } from '../support/browser-client.js';
import type { TestDatabase } from '../support/database.js';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { PersonWithData } from '../support/person-with-data.js';
import { ServerProcess } from '../support/server-process.js';
import { TestServer } from '../support/test-server.js';

const ROUND_COUNT = 6;

/** Longest time between the request and the kill: about twice the time of a deletion. */
const MAX_WAIT_MS = 120;

describe.each(FAULT_DATABASES)('Account deletion on %s', (_, createDatabase) => {
  let database: TestDatabase;
  let people: PersonWithData[];

  beforeAll(async () => {
    database = await createDatabase();
    const server = await TestServer.start({ DATABASE_URL: database.url, TRUST_PROXY: 'true' });
    people = [];
    for (let count = 0; count < ROUND_COUNT; count++)
      people.push(await PersonWithData.create(server, `leaver${count}`));
    await server.stop();
  });
  afterAll(() => database.drop());

  const readState = async ({ account: { id } }: PersonWithData): Promise<unknown> => {
    const source = await new DataSource(createOrmConfig(database.url, 'write')).initialize();
    const [row] = await source.query<object[]>(`SELECT
      (SELECT count(*) FROM accounts WHERE id = '${id}' AND deleted_at IS NULL) AS account,
      (SELECT count(*) FROM authorizations WHERE account_id = '${id}' AND revoked_at IS NULL) AS authorizations,
      (SELECT count(*) FROM collections WHERE owner_id = '${id}') AS collections,
      (SELECT count(*) FROM edits WHERE author_id = '${id}' AND status = 'open') AS edits,
      (SELECT count(*) FROM apps WHERE owner_id = '${id}') AS apps`);
    await source.destroy();
    return Object.values(row!).map(Number);
  };

  it(`is complete or has not happened after SIGKILL, in each of ${ROUND_COUNT} rounds`, async () => {
    for (const person of people) {
      const server = await ServerProcess.startOn(database.url);
      const browser = new BrowserClient(server);
      await browser.signIn(person.account);
      const page = await browser.get('/account/delete');
      const form = { password: 'correct horse' };
      const response = browser.submitForm(page, '/account/delete', form).catch(() => undefined);
      await pass(Math.random() * MAX_WAIT_MS);
      await server.stop('SIGKILL');
      const isConfirmed = (await response)?.status === 303;
      const [unchanged, deleted] = [
        [1, 1, 1, 1, 1],
        [0, 0, 0, 0, 0],
      ];
      expect(isConfirmed ? [deleted] : [unchanged, deleted]).toContainEqual(await readState(person));
    }
  });
});
