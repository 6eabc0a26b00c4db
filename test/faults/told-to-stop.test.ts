import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import type { TestDatabase } from '../support/database.js';
import { DATABASES } from '../support/fault-databases.js';
import { Load } from '../support/load.js';
import type { StartedService } from '../support/processes.js';
import { RawConnection } from '../support/raw-connection.js';
import { readAllBack } from '../support/read-back.js';

const ROUNDS = 6;
const CHAINS = 8;

describe.each(DATABASES)('The service on %s, told to stop under load (SIGTERM)', (_, newDatabase) => {
  let database: TestDatabase;
  let chains: Chain[];
  let service: StartedService;

  beforeAll(async () => {
    database = await newDatabase();
    chains = await newChains(database, CHAINS);
  });
  beforeEach(async () => {
    service = await startBuilt(database.url);
  });
  afterEach(() => service.stop('SIGKILL'));
  afterAll(() => database.drop());

  it(`answers what it took, does nothing of what it does not answer, and ends well, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const load = new Load(chains, [service.url]);
      await load.answered(Math.ceil(Math.random() * 20 * round));
      const code = await service.stop();
      const refusals = (await load.ended).filter((outcome) => typeof outcome === 'object').map(({ status }) => status);
      expect({ round, code, refusals }).toEqual({ round, code: 0, refusals: [] });
      service = await startBuilt(database.url);
      expect(await readAllBack(chains, service.url, database.url)).toBe(true);
    }
  });

  it('answers a request whose body was still on its way', async () => {
    const [chain] = chains;
    const [idle, sending] = [await RawConnection.open(service.url), await RawConnection.open(service.url)];
    idle.say('GET /api/oauth/jwks HTTP/1.1\r\nHost: map.example.org\r\n\r\n');
    await idle.hear(/"keys"/);
    const body = chain!.bodyOf(chain!.newest);
    const length = `Content-Length: ${body.length}\r\n\r\n`;
    sending.say(
      `POST /api/oauth/token HTTP/1.1\r\nHost: map.example.org\r\nContent-Type: application/json\r\n${length}`,
    );
    sending.say(body.slice(0, 20));
    const stopping = service.stop();
    await idle.closed; // it has heard of it
    sending.say(body.slice(20));
    await sending.hear(/^HTTP\/1.1 200 .*"refresh_token"/s);
    expect(await stopping).toBe(0);
  });
});
