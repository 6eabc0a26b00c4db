import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import { UncertainCommitsService } from '../../src/identity/oauth/uncertain-commits.service.js';
import { CommitUncertainError } from '../../src/platform/database/uncertain-commit.js';
import type { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { restoreClock, setClock } from '../support/fake-clock.js';

const OUTAGE = new Error('Connection terminated');
const SUBJECT = { app_id: 'app_1', account_id: 'usr_1' };

describe('UncertainCommitsService', () => {
  const events = new EventEmitter();
  let service: UncertainCommitsService;

  beforeEach(() => {
    service = new UncertainCommitsService({} as ReservedConnections);
    const ignore = (): void => undefined;
    const error = (_: string, fields: unknown): boolean => events.emit('error line', fields);
    Logger.overrideLogger({ log: ignore, warn: ignore, error });
  });
  afterEach(() => {
    restoreClock();
    Logger.overrideLogger(false);
  });

  /** Runs a request whose commit is in doubt, and that fails in the next attempt. */
  const failInDoubt = async (undo: () => Promise<void>): Promise<void> => {
    const errors = [new CommitUncertainError(OUTAGE), new Error('It failed')];
    const run = (): Promise<never> => Promise.reject(errors.shift()!);
    await expect(service.runWithCertainty({ run, undo, getSubject: () => SUBJECT })).rejects.toThrow('It failed');
  };

  it('logs the app and the account of a commit that cannot be undone', async () => {
    const logged = once(events, 'error line');
    await failInDoubt(() => Promise.reject(new TypeError('It cannot be undone')));
    const reason = 'TypeError: It cannot be undone';
    expect(await logged).toEqual([{ event: 'commit_undo_failed', ...SUBJECT, reason }]);
  });

  it('logs a commit that was not undone within 10 minutes', async () => {
    const logged = once(events, 'error line');
    await failInDoubt(() => {
      setClock(Date.now() + 11 * 60_000);
      return Promise.reject(OUTAGE);
    });
    const reason = 'The commit could not be undone within 10 minutes.';
    expect(await logged).toEqual([{ event: 'commit_undo_failed', ...SUBJECT, reason }]);
  });

  it('undoes a commit when the process stops', async () => {
    let isDatabaseAvailable = false;
    let isUndone = false;
    await failInDoubt(() => {
      if (!isDatabaseAvailable) return Promise.reject(OUTAGE);
      isUndone = true;
      return Promise.resolve();
    });
    isDatabaseAvailable = true;
    await service.onApplicationShutdown();
    expect(isUndone).toBe(true);
  });

  it('logs each commit that is not undone when the process stops, once', async () => {
    let lines = 0;
    events.on('error line', () => lines++);
    for (let count = 0; count < 3; count++) await failInDoubt(() => Promise.reject(OUTAGE));
    await service.onApplicationShutdown();
    await service.onApplicationShutdown();
    expect(lines).toBe(3);
  });
});
