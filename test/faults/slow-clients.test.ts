import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSqliteDatabase } from '../support/database.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { RawConnection } from '../support/raw-connection.js';

const CHAIN_COUNT = 4;

/** Milliseconds after which a service that has not stopped counts as hanging. */
const SHUTDOWN_TIMEOUT_MS = 60_000;

const REQUEST_HEAD = 'POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n';
const STYLESHEET_REQUEST = 'GET /assets/style.css HTTP/1.1\r\nHost: map.example.org\r\n\r\n';

/** The kinds of slow clients: their number and the data that they send. */
const SLOW_CLIENT_CASES: [name: string, count: number, words: string][] = [
  ['without a request', 300, ''],
  ['with incomplete headers', 50, REQUEST_HEAD],
  ['with an incomplete body', 50, `${REQUEST_HEAD}Content-Length: 1000\r\n\r\n{"grant_type":`],
  ['that do not read their responses', 2, STYLESHEET_REQUEST.repeat(2000)],
];

describe.each(SLOW_CLIENT_CASES)('Clients %s', (_, count, args) => {
  let scenario: FaultScenario;
  const slow: RawConnection[] = [];

  beforeAll(async () => {
    scenario = await FaultScenario.start(createSqliteDatabase, CHAIN_COUNT);
    for (let index = 0; index < count; index++) {
      const connection = await RawConnection.open(scenario.server.url);
      connection.pauseReading();
      connection.write(args);
      slow.push(connection);
    }
  });
  afterAll(async () => {
    await scenario.stop();
    for (const connection of slow) connection.destroy();
  });

  it('do not delay other clients', async () => {
    for (let round = 0; round < 25; round++) {
      const outcomes = await Promise.all(scenario.chains.map((chain) => chain.refresh(scenario.server.url)));
      expect(outcomes).toEqual(scenario.chains.map(() => expect.objectContaining({ status: 200 })));
    }
  });

  it(
    'do not delay the shutdown',
    async () => {
      expect(await scenario.server.stop()).toBe(0);
    },
    SHUTDOWN_TIMEOUT_MS,
  );
});

describe('The time limit of a request', () => {
  let scenario: FaultScenario;

  beforeAll(async () => {
    scenario = await FaultScenario.start(createSqliteDatabase, CHAIN_COUNT);
  });
  afterAll(() => scenario.stop());

  it.each([
    ['its headers', REQUEST_HEAD, 15_000],
    ['its body', `${REQUEST_HEAD}Content-Length: 1000\r\n\r\n{"grant_type":`, 30_000],
  ])('ends a connection that does not complete %s', async (_, words, limitMs) => {
    const startedAt = performance.now();
    const connection = await RawConnection.open(scenario.server.url);
    connection.write(words);
    await connection.closed;
    expect(connection.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startedAt).toBeGreaterThan(limitMs - 1_000);
    expect(performance.now() - startedAt).toBeLessThan(limitMs + 5_000);
  });
});
