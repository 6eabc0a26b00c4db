import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import type { TestDatabase } from '../support/database.js';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { RefreshLoad } from '../support/refresh-load.js';
import type { ServerProcess } from '../support/server-process.js';
import { RawConnection } from '../support/raw-connection.js';
import { verifyChains } from '../support/verify-chains.js';

const ROUND_COUNT = 6;
const CHAIN_COUNT = 8;

describe.each(FAULT_DATABASES)('The service on %s, told to stop under load (SIGTERM)', (_, newDatabase) => {
  let database: TestDatabase;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;

  beforeAll(async () => {
    database = await newDatabase();
    chains = await issueChains(database, CHAIN_COUNT);
  });
  beforeEach(async () => {
    server = await startServerProcess(database.url);
  });
  afterEach(() => server.stop('SIGKILL'));
  afterAll(() => database.drop());

  it(`answers what it took, does nothing of what it does not answer, and ends well, in each of ${ROUND_COUNT} rounds`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const load = new RefreshLoad(chains, [server.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      const code = await server.stop();
      const refusals = (await load.outcomes)
        .filter((outcome) => typeof outcome === 'object')
        .map(({ status }) => status);
      expect({ round, code, refusals }).toEqual({ round, code: 0, refusals: [] });
      server = await startServerProcess(database.url);
      expect(await verifyChains(chains, server.url, database.url)).toBe(true);
    }
  });

  it('answers a request whose body was still on its way', async () => {
    const [chain] = chains;
    const [idle, sending] = [await RawConnection.open(server.url), await RawConnection.open(server.url)];
    idle.write('GET /api/oauth/jwks HTTP/1.1\r\nHost: map.example.org\r\n\r\n');
    await idle.waitForData(/"keys"/);
    const body = chain!.buildRequestBody(chain!.currentToken);
    const length = `Content-Length: ${body.length}\r\n\r\n`;
    sending.write(
      `POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n${length}`,
    );
    sending.write(body.slice(0, 20));
    const stopping = server.stop();
    await idle.closed; // it has heard of it
    sending.write(body.slice(20));
    await sending.waitForData(/^HTTP\/1.1 200 .*"refresh_token"/s);
    expect(await stopping).toBe(0);
  });
});
