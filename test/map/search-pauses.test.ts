import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStep } from '../../src/map/markers/search/search-plan.js';
import { SearchRun } from '../../src/map/markers/search/search-run.js';
import { BatchLoader } from '../../src/platform/database/batch-loader.js';
import { isPostgres } from '../support/database.js';
import { advanceDurationClock, restoreClock, stopDurationClock } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';

const TURN_MS = 6;
const MAX_WAIT_MS = 10;

/** A step that reads all rows with one statement. */
const STEP: ReadStep = {
  rows: { read: 'at once', from: [{ sql: 'FROM marker_search s WHERE TRUE', parameters: {} }], orderBy: '' },
  conditions: [],
};

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

  /** Begins a search, which runs for some time. */
  const search = async (milliseconds: number): Promise<SearchRun> => {
    const run = new SearchRun(server.entityManager);
    await run.pause();
    advanceDurationClock(milliseconds);
    return run;
  };
  const pauseAfter = async (milliseconds: number): Promise<void> => {
    const run = await search(milliseconds);
    await run.pause();
    events.push('search continued');
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

  it('begins after 5 ms of several searches in one turn of the event loop', async () => {
    await search(TURN_MS / 2);
    const continued = pauseAfter(TURN_MS / 2);
    await takeTurns();
    expect(events).toEqual([]);
    endBatch();
    await continued;
    expect(events).toEqual(['batch ended', 'search continued']);
  });

  it('continues searches in the same turn until they have used 5 ms', async () => {
    let turn = 0;
    const searchInTurn = (): Promise<number> => search(TURN_MS / 2).then(() => turn);
    await search(TURN_MS);
    const continued = Promise.all([searchInTurn(), searchInTurn(), searchInTurn()]);
    endBatch();
    for (; turn < 20; turn++) await nextTurn();
    const [first, second, third] = await continued;
    expect(second).toBe(first);
    expect(third).toBeGreaterThan(first);
  });

  it('comes before the statements that choose the step', async () => {
    const run = await search(TURN_MS);
    const opened = run.open(STEP).then(() => events.push('step opened'));
    await takeTurns();
    expect(events).toEqual([]);
    endBatch();
    await opened;
    expect(events).toEqual(['batch ended', 'step opened']);
  });

  it('does not come after the last statement', async () => {
    const run = await search(0);
    for await (const { sql } of (await run.open(STEP))!) {
      expect(sql).toContain('marker_search');
      advanceDurationClock(TURN_MS);
    }
    expect(events).toEqual([]);
  });

  it('does not begin in the first 5 ms of a turn of the event loop', async () => {
    await search(TURN_MS);
    await nextTurn();
    await pauseAfter(TURN_MS - 2);
    expect(events).toEqual(['search continued']);
  });

  it('does not begin in the first 5 ms of the search', async () => {
    await pauseAfter(TURN_MS - 2);
    expect(events).toEqual(['search continued']);
  });
});
