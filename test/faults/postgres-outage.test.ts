import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UNAVAILABLE_RESPONSE, DATABASE_BACKED_PAGE_PATH } from '../support/unavailable-response.js';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import type { ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';

/** Milliseconds in which an answer must come at the latest, whatever the database does. */
const RESPONSE_TIMEOUT_MS = 60_000;

const CHAIN_COUNT = 8;

describe('PostgreSQL', () => {
  let postgres: PostgresCluster;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;
  let accessToken: string;

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    chains = await issueChains(postgres, CHAIN_COUNT);
    server = await startServerProcess(postgres.url);
    const outcome = await chains[0]!.refresh(server.url);
    accessToken = typeof outcome === 'object' ? outcome.body.access_token : outcome;
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    await postgres.drop();
  });

  const ask = (path: string): Promise<Response> =>
    fetch(server.url + path, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });

  /** All kinds of addresses say that it is for now. */
  const expectAway = async (): Promise<void> => {
    const [token, api, page, ready, live] = await Promise.all([
      chains[0]!.refresh(server.url),
      ask('/api/markers'),
      ask(DATABASE_BACKED_PAGE_PATH),
      ask('/health/ready'),
      ask('/health/live'),
    ]);
    expect([ready.status, live.status]).toEqual([503, 200]);
    expect(await ready.json()).toMatchObject({ status: 'error', error: { database: { status: 'down' } } });
    expect(token).toEqual(UNAVAILABLE_RESPONSE);
    expect([api.status, page.status]).toEqual([503, 503]);
    for (const { headers } of [api, page]) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await api.json()).toEqual({
      error: expect.stringMatching(/^[A-Z].*\.$/),
      code: 'temporarily_unavailable',
    });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toMatch(/<h1>/);
  };

  /** Under load it goes away, every request is answered all the same, and the load ends. */
  const goneUnderLoad = async (go: () => Promise<void>): Promise<void> => {
    const load = new RefreshLoad(chains, [server.url]);
    await load.waitForTokens(100);
    await go();
    expect(await load.outcomes).toEqual(chains.map(() => UNAVAILABLE_RESPONSE));
    await expectAway();
  };

  const expectRecovered = async (): Promise<void> => {
    await verifyChains(chains, server.url, postgres.url);
    const answers = await Promise.all([ask('/api/markers'), ask(DATABASE_BACKED_PAGE_PATH)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  };

  it('that is killed under load, again and again: 503 until it is back, then all goes on, nothing spent twice', async () => {
    for (let round = 0; round < 3; round++) {
      await goneUnderLoad(() => postgres.kill());
      await postgres.restart();
      await expectRecovered();
      chains.splice(0, CHAIN_COUNT, ...(await issueChains(postgres, CHAIN_COUNT)));
    }
  });

  it('that hangs under load: 503 in time, and once it goes on, so do we, with nothing spent twice', async () => {
    await goneUnderLoad(() => postgres.suspend());
    postgres.resume();
    await expectRecovered();
  });
});
