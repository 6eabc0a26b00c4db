import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RefreshTokenChain, RefreshOutcome } from './refresh-token-chain.js';

const RETRY_INTERVAL_MS = 50;

interface RefreshLoadOptions {
  /** Whether a chain repeats a refresh with the same token after the status 503. */
  retryUnavailable?: boolean;
}

/** Chains that refresh continuously and concurrently, until a refresh fails or they are stopped. */
export class RefreshLoad {
  /** The last outcome of each chain: its first failure, or a success. */
  readonly outcomes: Promise<RefreshOutcome[]>;
  private tokenCount = 0;
  private slowestMs = 0;
  private isStopped = false;
  private readonly events = new EventEmitter();

  /** @param urls the processes of the service; each chain uses them in turn */
  constructor(
    chains: RefreshTokenChain[],
    private readonly urls: string[],
    private readonly options: RefreshLoadOptions = {},
  ) {
    this.outcomes = Promise.all(chains.map((chain, index) => this.refreshUntilStopped(chain, index)));
  }

  /** Waits until this many tokens were issued in total. */
  async waitForTokens(count: number): Promise<void> {
    if (this.tokenCount >= count) return;
    const early = this.outcomes.then((outcomes) => {
      throw new Error(`The load ended after ${this.tokenCount} tokens: ${JSON.stringify(outcomes)}`);
    });
    await Promise.race([once(this.events, String(count)), early]);
  }

  /** Waits until this many more tokens were issued. */
  waitForMoreTokens(count: number): Promise<void> {
    return this.waitForTokens(this.tokenCount + count);
  }

  /** Returns the time in milliseconds of the slowest refresh since the last call. */
  takeSlowest(): number {
    const slowest = this.slowestMs;
    this.slowestMs = 0;
    return slowest;
  }

  /** Waits until a response has the status 503. */
  async waitForUnavailable(): Promise<void> {
    await once(this.events, 'unavailable');
  }

  /** Stops each chain after its current request. @returns the last outcome of each chain */
  stop(): Promise<RefreshOutcome[]> {
    this.isStopped = true;
    return this.outcomes;
  }

  private async refreshUntilStopped(chain: RefreshTokenChain, first: number): Promise<RefreshOutcome> {
    for (let turn = first; ; turn++) {
      const startedAt = performance.now();
      const outcome = await chain.refresh(this.urls[turn % this.urls.length]!);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      if (this.options.retryUnavailable && typeof outcome === 'object' && outcome.status === 503) {
        this.events.emit('unavailable');
        await sleep(RETRY_INTERVAL_MS);
        continue;
      }
      if (typeof outcome === 'string' || outcome.status !== 200) return outcome;
      this.events.emit(String(++this.tokenCount));
      if (this.isStopped) return outcome;
    }
  }
}
