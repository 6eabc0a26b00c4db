import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { tryConnect } from '../support/http-load.js';
import { RawConnection } from '../support/raw-connection.js';

const ROUND_COUNT = 6;
const CHAIN_COUNT = 8;
const WAITING_COUNT = 20;

/** Milliseconds after which a process closes idle connections after SIGTERM. */
const IDLE_CLOSE_DELAY_MS = 6_000;

const REQUEST = 'GET /api/oauth/jwks HTTP/1.1\r\nHost: map.example.org\r\n\r\n';

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
      const code = await scenario.server.stop('SIGTERM');
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
    const sending = await RawConnection.open(scenario.server.url);
    const body = chain!.buildRequestBody(chain!.currentToken);
    const length = `Content-Length: ${body.length}\r\n\r\n`;
    sending.write(
      `POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n${length}`,
    );
    sending.write(body.slice(0, 20));
    const stopping = scenario.server.stop('SIGTERM');
    await waitUntilRefused();
    sending.write(body.slice(20));
    await sending.waitForData(/^HTTP\/1.1 200 .*"refresh_token"/s);
    expect(await stopping).toBe(0);
  });

  it('responds on connections that the process had not accepted before SIGTERM', async () => {
    const { server } = scenario;
    process.kill(server.pid, 'SIGSTOP');
    const waiting = await Promise.all(Array.from({ length: WAITING_COUNT }, () => RawConnection.open(server.url)));
    for (const connection of waiting) connection.write(REQUEST);
    const stopping = server.stop('SIGTERM');
    process.kill(server.pid, 'SIGCONT');
    await Promise.all(waiting.map(({ closed }) => closed));
    expect(waiting.filter(({ received }) => received.startsWith('HTTP/1.1 200 '))).toHaveLength(WAITING_COUNT);
    expect(await stopping).toBe(0);
  });

  it('responds on idle connections after SIGTERM, and ends when they are closed', async () => {
    const [idle, other] = [await openIdle(), await openIdle()];
    const stopping = scenario.server.stop('SIGTERM');
    await waitUntilRefused();
    idle.received = '';
    idle.write(REQUEST);
    await idle.waitForData(/^HTTP\/1.1 200 .*Connection: close.*"keys"/s);
    await idle.closed;
    const startedAt = performance.now();
    other.destroy();
    expect(await stopping).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(IDLE_CLOSE_DELAY_MS / 2);
  });

  it('closes idle connections 6 s after SIGTERM, and at once after SIGINT', async () => {
    for (const [signal, delayMs] of [['SIGTERM', IDLE_CLOSE_DELAY_MS] as const, ['SIGINT', 0] as const]) {
      const idle = await openIdle();
      const startedAt = performance.now();
      expect(await scenario.server.stop(signal)).toBe(0);
      const durationMs = performance.now() - startedAt;
      expect(durationMs).toBeGreaterThanOrEqual(delayMs);
      expect(durationMs).toBeLessThan(delayMs + IDLE_CLOSE_DELAY_MS / 2);
      await idle.closed;
      if (signal === 'SIGTERM') await scenario.restart();
    }
  });

  /** Opens a connection that had a response, such as one that a proxy keeps. */
  async function openIdle(): Promise<RawConnection> {
    const idle = await RawConnection.open(scenario.server.url);
    idle.write(REQUEST);
    await idle.waitForData(/"keys"/);
    return idle;
  }

  /** Waits until the process has received the signal. */
  async function waitUntilRefused(): Promise<void> {
    while ((await tryConnect(scenario.server.url)) !== 'ECONNREFUSED');
  }
});
