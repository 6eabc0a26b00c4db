import { EventEmitter, once } from 'node:events';
import type { RefreshTokenChain, RefreshOutcome } from './refresh-token-chain.js';

/** Chains that refresh at once, each again as soon as it has its next token, until one answer is none, or they are stopped. */
export class RefreshLoad {
  /** How each chain ended: the first outcome that was no token, or its last one. */
  readonly outcomes: Promise<RefreshOutcome[]>;
  private tokenCount = 0;
  private isStopped = false;
  private readonly tokenEvents = new EventEmitter();

  /** @param urls the processes of the service, which each chain asks in turn */
  constructor(
    chains: RefreshTokenChain[],
    private readonly urls: string[],
  ) {
    this.outcomes = Promise.all(chains.map((chain, at) => this.refreshUntilStopped(chain, at)));
  }

  /** Until so many tokens came in all. */
  async waitForTokens(count: number): Promise<void> {
    if (this.tokenCount >= count) return;
    const early = this.outcomes.then((outcomes) => {
      throw new Error(`The load ended after ${this.tokenCount} tokens: ${JSON.stringify(outcomes)}`);
    });
    await Promise.race([once(this.tokenEvents, String(count)), early]);
  }

  /** Until so many tokens came from now on. */
  waitForMoreTokens(count: number): Promise<void> {
    return this.waitForTokens(this.tokenCount + count);
  }

  /** Each chain gets the answer that it waits for, and asks no more. @returns how each ended */
  stop(): Promise<RefreshOutcome[]> {
    this.isStopped = true;
    return this.outcomes;
  }

  private async refreshUntilStopped(chain: RefreshTokenChain, first: number): Promise<RefreshOutcome> {
    for (let turn = first; ; turn++) {
      const outcome = await chain.refresh(this.urls[turn % this.urls.length]!);
      if (typeof outcome === 'string' || outcome.status !== 200) return outcome;
      this.tokenEvents.emit(String(++this.tokenCount));
      if (this.isStopped) return outcome;
    }
  }
}
