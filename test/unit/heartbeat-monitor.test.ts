import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { HEARTBEAT_MESSAGE, READY_MESSAGE } from '../../src/platform/cluster/current-worker.js';
import { HeartbeatMonitor } from '../../src/platform/cluster/heartbeat-monitor.js';

const HOUR_SECONDS = 3600;

describe('HeartbeatMonitor', () => {
  let hung: Worker[];
  let monitor: HeartbeatMonitor;

  beforeEach(() => {
    jest.useFakeTimers();
    hung = [];
    monitor = new HeartbeatMonitor((worker) => hung.push(worker));
    monitor.start();
  });
  afterEach(() => void jest.useRealTimers());

  const watch = (): Worker => {
    const worker = new EventEmitter() as Worker;
    monitor.watch(worker);
    return worker;
  };
  const watchReady = (): Worker => {
    const worker = watch();
    worker.emit('message', READY_MESSAGE);
    return worker;
  };
  const pass = (seconds: number): void => void jest.advanceTimersByTime(seconds * 1000);

  it('reports a worker once when it sends no heartbeat for 7 seconds', () => {
    const worker = watchReady();
    pass(6);
    expect(hung).toEqual([]);
    pass(10);
    expect(hung).toEqual([worker]);
  });

  it('tolerates a worker that is busy for 5 seconds again and again', () => {
    const worker = watchReady();
    for (let count = 0; count < 10; count++) {
      pass(5);
      worker.emit('message', HEARTBEAT_MESSAGE);
    }
    expect(hung).toEqual([]);
  });

  it('tolerates a starting worker that is busy for an hour', () => {
    const worker = watch();
    pass(1);
    worker.emit('message', HEARTBEAT_MESSAGE);
    pass(HOUR_SECONDS);
    expect(hung).toEqual([]);
    worker.emit('message', READY_MESSAGE);
    pass(7);
    expect(hung).toEqual([worker]);
  });

  it('reports one worker per second when all hang', () => {
    const workers = [watchReady(), watchReady(), watchReady()];
    pass(7);
    for (let count = 1; count <= workers.length; count++) {
      expect(hung).toEqual(workers.slice(0, count));
      pass(1);
    }
  });

  it('does not report a worker that has ended', () => {
    const worker = watchReady();
    worker.emit('exit', 0, null);
    pass(HOUR_SECONDS);
    expect(hung).toEqual([]);
  });
});
