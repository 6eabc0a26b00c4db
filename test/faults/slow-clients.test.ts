import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { createSqliteDatabase, type TestDatabase } from '../support/database.js';
import type { ServerProcess } from '../support/server-process.js';
import { RawConnection } from '../support/raw-connection.js';

const CHAIN_COUNT = 4;

/** Milliseconds after which a service that does not end counts as hanging. */
const SHUTDOWN_TIMEOUT_MS = 60_000;

const REQUEST_HEAD = 'POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n';
const STYLESHEET_REQUEST = 'GET /assets/style.css HTTP/1.1\r\nHost: map.example.org\r\n\r\n';

/** What slow clients say, and how many of each kind there are. */
const SLOW_CLIENT_CASES: [name: string, count: number, words: string][] = [
  ['that say nothing', 300, ''],
  ['whose headers never end', 50, REQUEST_HEAD],
  ['whose bodies never end', 50, `${REQUEST_HEAD}Content-Length: 1000\r\n\r\n{"grant_type":`],
  ['that do not read their answers', 2, STYLESHEET_REQUEST.repeat(2000)],
];

describe.each(SLOW_CLIENT_CASES)('Clients %s', (_, count, words) => {
  let database: TestDatabase;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;
  const slow: RawConnection[] = [];

  beforeAll(async () => {
    database = await createSqliteDatabase();
    chains = await issueChains(database, CHAIN_COUNT);
    server = await startServerProcess(database.url);
    for (let at = 0; at < count; at++) {
      const connection = await RawConnection.open(server.url);
      connection.pauseReading();
      connection.write(words);
      slow.push(connection);
    }
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    for (const connection of slow) connection.destroy();
    await database.drop();
  });

  it('keep nobody else waiting', async () => {
    for (let round = 0; round < 25; round++) {
      const outcomes = await Promise.all(chains.map((chain) => chain.refresh(server.url)));
      expect(outcomes).toEqual(chains.map(() => expect.objectContaining({ status: 200 })));
    }
  });

  it(
    'do not keep the service from stopping',
    async () => {
      expect(await server.stop()).toBe(0);
    },
    SHUTDOWN_TIMEOUT_MS,
  );
});
