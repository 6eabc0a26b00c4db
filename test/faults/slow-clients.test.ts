import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import { newSqliteDatabase, type TestDatabase } from '../support/database.js';
import type { StartedService } from '../support/processes.js';
import { RawConnection } from '../support/raw-connection.js';

const CHAINS = 4;

/** Milliseconds after which a service that does not end counts as hanging. */
const DEADLINE = 60_000;

const HEADERS = 'POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n';
const STYLES = 'GET /assets/style.css HTTP/1.1\r\nHost: map.example.org\r\n\r\n';

/** What slow clients say, and how many of each kind there are. */
const KINDS: [name: string, count: number, words: string][] = [
  ['that say nothing', 300, ''],
  ['whose headers never end', 50, HEADERS],
  ['whose bodies never end', 50, `${HEADERS}Content-Length: 1000\r\n\r\n{"grant_type":`],
  ['that do not read their answers', 2, STYLES.repeat(2000)],
];

describe.each(KINDS)('Clients %s', (_, count, words) => {
  let database: TestDatabase;
  let chains: Chain[];
  let service: StartedService;
  const slow: RawConnection[] = [];

  beforeAll(async () => {
    database = await newSqliteDatabase();
    chains = await newChains(database, CHAINS);
    service = await startBuilt(database.url);
    for (let at = 0; at < count; at++) {
      const connection = await RawConnection.open(service.url);
      connection.turnAway();
      connection.say(words);
      slow.push(connection);
    }
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    for (const connection of slow) connection.end();
    await database.drop();
  });

  it('keep nobody else waiting', async () => {
    for (let round = 0; round < 25; round++) {
      const outcomes = await Promise.all(chains.map((chain) => chain.refresh(service.url)));
      expect(outcomes).toEqual(chains.map(() => expect.objectContaining({ status: 200 })));
    }
  });

  it(
    'do not keep the service from stopping',
    async () => {
      expect(await service.stop()).toBe(0);
    },
    DEADLINE,
  );
});
