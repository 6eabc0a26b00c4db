import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AWAY, DATABASE_PAGE } from '../support/away.js';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import { Load } from '../support/load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import type { StartedService } from '../support/processes.js';
import { readAllBack } from '../support/read-back.js';

/** Milliseconds in which an answer must come at the latest, whatever the database does. */
const DEADLINE = 60_000;

const CHAINS = 8;

describe('PostgreSQL', () => {
  let postgres: PostgresCluster;
  let chains: Chain[];
  let service: StartedService;
  let accessToken: string;

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    chains = await newChains(postgres, CHAINS);
    service = await startBuilt(postgres.url);
    const outcome = await chains[0]!.refresh(service.url);
    accessToken = typeof outcome === 'object' ? outcome.body.access_token : outcome;
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await postgres.drop();
  });

  const ask = (path: string): Promise<Response> =>
    fetch(service.url + path, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(DEADLINE),
    });

  /** All kinds of addresses say that it is for now. */
  const expectAway = async (): Promise<void> => {
    const [token, api, page, ready, live] = await Promise.all([
      chains[0]!.refresh(service.url),
      ask('/api/markers'),
      ask(DATABASE_PAGE),
      ask('/health/ready'),
      ask('/health/live'),
    ]);
    expect([ready.status, live.status]).toEqual([503, 200]);
    expect(await ready.json()).toMatchObject({ status: 'error', error: { database: { status: 'down' } } });
    expect(token).toEqual(AWAY);
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
    const load = new Load(chains, [service.url]);
    await load.answered(100);
    await go();
    expect(await load.ended).toEqual(chains.map(() => AWAY));
    await expectAway();
  };

  const expectRecovered = async (): Promise<void> => {
    await readAllBack(chains, service.url, postgres.url);
    const answers = await Promise.all([ask('/api/markers'), ask(DATABASE_PAGE)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  };

  it('that is killed under load, again and again: 503 until it is back, then all goes on, nothing spent twice', async () => {
    for (let round = 0; round < 3; round++) {
      await goneUnderLoad(() => postgres.kill());
      await postgres.startAgain();
      await expectRecovered();
      chains.splice(0, CHAINS, ...(await newChains(postgres, CHAINS)));
    }
  });

  it('that hangs under load: 503 in time, and once it goes on, so do we, with nothing spent twice', async () => {
    await goneUnderLoad(() => postgres.freeze());
    postgres.thaw();
    await expectRecovered();
  });
});
