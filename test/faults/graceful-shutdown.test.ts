import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { RawConnection } from '../support/raw-connection.js';

const ROUND_COUNT = 6;
const CHAIN_COUNT = 8;

describe.each(FAULT_DATABASES)('Graceful shutdown on %s under load', (_, createDatabase) => {
  let scenario: FaultScenario;

  beforeAll(async () => {
    scenario = await FaultScenario.start(createDatabase, CHAIN_COUNT);
  });
  afterEach(async () => {
    await scenario.server.stop('SIGKILL');
    await scenario.restart();
  });
  afterAll(() => scenario.stop());

  it(`completes accepted requests, drops no rotation, and exits with 0, in each of ${ROUND_COUNT} rounds`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const load = new RefreshLoad(scenario.chains, [scenario.server.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      const code = await scenario.server.stop();
      const failedStatuses = (await load.outcomes)
        .filter((outcome) => typeof outcome === 'object')
        .map(({ status }) => status);
      expect({ round, code, refusals: failedStatuses }).toEqual({ round, code: 0, refusals: [] });
      await scenario.restart();
      expect(await scenario.verify()).toBe(true);
    }
  });

  it('responds to a request whose body arrives after the signal', async () => {
    const [chain] = scenario.chains;
    const [idle, sending] = [
      await RawConnection.open(scenario.server.url),
      await RawConnection.open(scenario.server.url),
    ];
    idle.write('GET /api/oauth/jwks HTTP/1.1\r\nHost: map.example.org\r\n\r\n');
    await idle.waitForData(/"keys"/);
    const body = chain!.buildRequestBody(chain!.currentToken);
    const length = `Content-Length: ${body.length}\r\n\r\n`;
    sending.write(
      `POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n${length}`,
    );
    sending.write(body.slice(0, 20));
    const stopping = scenario.server.stop();
    await idle.closed; // the server has received the signal
    sending.write(body.slice(20));
    await sending.waitForData(/^HTTP\/1.1 200 .*"refresh_token"/s);
    expect(await stopping).toBe(0);
  });
});
