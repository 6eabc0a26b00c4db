import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { MAX_CAUSES, REPEAT_WINDOW_MS } from '../../src/platform/logging/error-repeats.js';
import { EventLogger } from '../../src/platform/logging/event-logger.js';
import { RequestContextLogger } from '../../src/platform/logging/request-context-logger.js';

describe('Logger', () => {
  let written: string;

  beforeEach(() => {
    written = '';
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((chunk) => ((written += String(chunk)), true));
  });
  afterEach(() => {
    Logger.overrideLogger(false);
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const createLogger = (LOG_FORMAT: 'json' | 'pretty'): RequestContextLogger =>
    new RequestContextLogger(
      { LOG_FORMAT, LOG_LEVEL: 'debug' },
      (error) => (error as { sharedCause?: string }).sharedCause,
    );
  const start = (LOG_FORMAT: 'json' | 'pretty'): RequestContextLogger => {
    const logger = createLogger(LOG_FORMAT);
    Logger.overrideLogger(logger);
    return logger;
  };
  const readLines = (): string[] => written.split('\n').filter(Boolean);
  const readEntries = (): Record<string, unknown>[] =>
    readLines().map((line) => JSON.parse(line) as Record<string, unknown>);

  const SECRET = generateSecret('sam_refresh');
  const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.${'s'.repeat(86)}`;

  for (const LOG_FORMAT of ['json', 'pretty'] as const) {
    it(`masks secrets in messages, errors, stacks and members, as ${LOG_FORMAT}`, () => {
      const logger = createLogger(LOG_FORMAT);
      logger.warn(`The token ${SECRET} and ${JWT} at https://app.example.org/?code=hidden-code&x=shown.`);
      logger.error(new Error(`It was ${SECRET}`));
      logger.error('It failed', `Error: ${SECRET}\n    at somewhere`);
      logger.log('A form', { password: 'hidden-password', nested: { client_secret: SECRET, cookie: 'hidden-cookie' } });
      expect(written).not.toMatch(/hidden-/);
      for (const secret of [SECRET, JWT]) expect(written).not.toContain(secret.slice(-30));
      expect(written).toContain('x=shown');
      if (LOG_FORMAT === 'json') readEntries();
    });
  }

  it('masks secrets in the fields and the error of an event', () => {
    for (const LOG_FORMAT of ['json', 'pretty'] as const) {
      start(LOG_FORMAT);
      const error = Object.assign(new Error(`It was ${SECRET}`), { parameters: [JWT] });
      new EventLogger('Test').log('scheduled_task_failed', 'A task failed.', { task: JWT, token: 'hidden', error });
    }
    expect(written).not.toContain('hidden');
    for (const secret of [SECRET, JWT]) expect(written).not.toContain(secret.slice(-30));
  });

  it('writes an event as one JSON object with the members of the documentation', () => {
    start('json');
    new EventLogger('Test').log('expired_rows_deleted', 'Expired rows were deleted.', { count: 3, duration_ms: 12 });
    expect(readEntries()).toEqual([
      {
        timestamp: expect.any(Number),
        level: 'info',
        event: 'expired_rows_deleted',
        message: 'Expired rows were deleted.',
        pid: process.pid,
        context: 'Test',
        count: 3,
        duration_ms: 12,
      },
    ]);
  });

  it('writes an error into the members error, error_code and stack', () => {
    start('json');
    const error = Object.assign(new Error('No\nanswer'), { code: 'ECONNREFUSED' });
    new EventLogger('Test').log('scheduled_task_failed', 'A task failed.', { task: 'clean-up', error });
    expect(readEntries()).toEqual([
      expect.objectContaining({
        level: 'error',
        event: 'scheduled_task_failed',
        task: 'clean-up',
        error: 'Error: No\nanswer',
        error_code: 'ECONNREFUSED',
        stack: error.stack,
      }),
    ]);
  });

  it('writes an event as one line that ends with its fields, as pretty', () => {
    start('pretty');
    const logger = new EventLogger('Test');
    logger.log('scheduled_task_failed', 'A task failed.', { task: 'two words', error: 'a\nb', count: 2 });
    logger.log('worker_exited', 'Two\n  lines.', { reason: 'SIGKILL' });
    expect(readLines()).toEqual([
      expect.stringMatching(
        / ERROR \[Test\] A task failed\. event=scheduled_task_failed task="two words" count=2 error="a\\nb"$/,
      ),
      expect.stringMatching(/ ERROR \[Test\] Two lines\. event=worker_exited reason=SIGKILL$/),
    ]);
  });

  it('writes the stack after the line, as pretty', () => {
    start('pretty');
    new EventLogger('Test').log('unhandled_error', 'It failed.', { error: new Error('Broken') });
    const [line, ...stack] = readLines();
    expect(line).toMatch(/It failed\. event=unhandled_error error="Error: Broken"$/);
    expect(stack.slice(0, 2)).toEqual(['Error: Broken', expect.stringMatching(/^ +at .*logger\.test\.ts/)]);
  });

  it.each(['json', 'pretty'] as const)('gives lines of NestJS the event framework, as %s', (LOG_FORMAT) => {
    start(LOG_FORMAT);
    new Logger('RouterExplorer').warn('Duplicate\nroute');
    expect(readLines()).toEqual([
      expect.stringMatching(
        LOG_FORMAT === 'json'
          ? /"level":"warn","event":"framework","message":"Duplicate route",.*"context":"RouterExplorer"/
          : /WARN \[RouterExplorer\] Duplicate route event=framework$/,
      ),
    ]);
  });

  it('writes an error of NestJS as one line with its stack', () => {
    start('json');
    const error = new Error('Broken');
    new Logger('ExceptionsHandler').error(error);
    new Logger('ExceptionsHandler').error('Worse', 'Error: Worse\n    at run (app.js:1:1)');
    expect(readEntries()).toEqual([
      expect.objectContaining({ event: 'framework', message: 'Broken', stack: error.stack }),
      expect.objectContaining({ event: 'framework', message: 'Worse', stack: expect.stringContaining('app.js') }),
    ]);
  });

  describe('with repeated errors', () => {
    const fail = (message: string, code?: string): void =>
      new EventLogger('Test').log('unhandled_error', 'It failed.', {
        error: Object.assign(new Error(message), code && { code }),
      });
    const failElsewhere = (message: string, code?: string): void =>
      new EventLogger('Test').log('unhandled_error', 'It failed.', {
        error: Object.assign(new Error(message), code && { code }),
      });

    beforeEach(() => void jest.useFakeTimers());

    it('logs a cause once with its stack, and the count of its repeats at the end of the minute', () => {
      start('json');
      for (let attempt = 1; attempt <= 5; attempt++) fail(`Broken after ${attempt} ms`);
      jest.advanceTimersByTime(REPEAT_WINDOW_MS - 1);
      expect(readEntries()).toEqual([expect.objectContaining({ message: 'It failed.', stack: expect.any(String) })]);
      jest.advanceTimersByTime(1);
      expect(readEntries().slice(1)).toEqual([
        {
          timestamp: expect.any(Number),
          level: 'error',
          event: 'unhandled_error',
          message: 'The same error occurred again within 60 s.',
          pid: process.pid,
          context: 'Test',
          error: 'Error: Broken after 1 ms',
          count: 4,
          requestIds: [],
        },
      ]);
    });

    it('logs a cause again after the minute, and no count if it was not repeated', () => {
      start('json');
      fail('Broken');
      jest.advanceTimersByTime(REPEAT_WINDOW_MS);
      fail('Broken');
      expect(readEntries().map(({ message, stack }) => [message, typeof stack])).toEqual([
        ['It failed.', 'string'],
        ['It failed.', 'string'],
      ]);
    });

    it('logs the counts when the process ends', () => {
      const logger = start('json');
      fail('Broken');
      fail('Broken');
      logger.flush();
      logger.flush();
      expect(readEntries().map(({ count }) => count)).toEqual([undefined, 1]);
    });

    it('tells causes apart by message and by place, and errors with a code by message only', () => {
      start('json');
      fail('Broken');
      fail('Also broken');
      failElsewhere('Broken');
      expect(readLines()).toHaveLength(3);
      fail('No answer', 'ECONNREFUSED');
      failElsewhere('No answer', 'ECONNREFUSED');
      expect(readLines()).toHaveLength(4);
    });

    it('logs errors with a shared cause once, although their messages and codes differ', () => {
      const logger = start('json');
      const failWith = (message: string, more: object): void =>
        new EventLogger('Test').log('database_unavailable', 'It failed.', {
          error: Object.assign(new Error(message), { sharedCause: 'connection_lost' }, more),
        });
      failWith('Connection terminated', {});
      failWith('write EPIPE', { code: 'EPIPE' });
      failWith('No connection', { sharedCause: 'cannot_connect' });
      logger.flush();
      expect(readEntries().map(({ cause, error, count }) => [cause, error, count])).toEqual([
        ['connection_lost', 'Error: Connection terminated', undefined],
        ['cannot_connect', 'Error: No connection', undefined],
        ['connection_lost', 'Error: Connection terminated', 1],
      ]);
    });

    it('counts a limited number of causes, and ends the oldest window early', () => {
      start('json');
      fail('Oldest');
      fail('Oldest');
      for (let index = 0; index < 3 * MAX_CAUSES; index++) fail(`Cause ${String.fromCodePoint(0x4e00 + index)}`);
      expect(jest.getTimerCount()).toBe(MAX_CAUSES);
      expect(readEntries().filter(({ count }) => count === 1)).toHaveLength(1);
    });

    it('writes no stack with the count, as pretty', () => {
      const logger = start('pretty');
      fail('Broken');
      written = '';
      fail('Broken');
      logger.flush();
      expect(readLines()).toEqual([
        expect.stringMatching(
          /again within 60 s\. event=unhandled_error error="Error: Broken" count=1 requestIds=\[\]$/,
        ),
      ]);
    });
  });
});
