import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SearchRun } from '../../src/map/markers/search/search-run.js';
import { BatchLoader } from '../../src/platform/database/batch-loader.js';
import { isPostgres } from '../support/database.js';
import { advanceDurationClock, restoreClock, stopDurationClock } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';

const TURN_MS = 6;
const MAX_WAIT_MS = 10;

describe('A pause of a search', () => {
  let server: TestServer;
  let events: string[];
  let endBatch: () => void;
  let batch: Promise<unknown>;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    stopDurationClock();
    events = [];
    let markBegun: () => void;
    const begun = new Promise<void>((resolve) => (markBegun = resolve));
    const ended = new Promise<void>((resolve) => (endBatch = resolve));
    const loader = new BatchLoader<number, number>(async (items) => {
      markBegun();
      await ended;
      return items;
    });
    batch = loader.enqueue(1).then(() => events.push('batch ended'));
    await begun;
  });
  afterEach(async () => {
    endBatch();
    await batch;
    restoreClock();
  });

  const pauseAfter = (milliseconds: number): Promise<unknown> => {
    const run = new SearchRun(server.entityManager);
    advanceDurationClock(milliseconds);
    return run.pause().then(() => events.push('search continued'));
  };
  const takeTurns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  };

  if (isPostgres) {
    it('has no duration on PostgreSQL, where other requests run during a statement', async () => {
      await pauseAfter(TURN_MS);
      expect(events).toEqual(['search continued']);
    });
    return;
  }

  it('lasts until no batch runs', async () => {
    const continued = pauseAfter(TURN_MS);
    await takeTurns();
    expect(events).toEqual([]);
    endBatch();
    await continued;
    expect(events).toEqual(['batch ended', 'search continued']);
  });

  it('ends after 10 ms during a batch that does not end', async () => {
    const continued = pauseAfter(TURN_MS);
    await takeTurns();
    advanceDurationClock(MAX_WAIT_MS);
    await continued;
    expect(events).toEqual(['search continued']);
  });

  it('does not begin in the first 5 ms of the search', async () => {
    await pauseAfter(TURN_MS - 2);
    expect(events).toEqual(['search continued']);
  });
});
