import { EventEmitter, once } from 'node:events';
import type { Chain, Outcome } from './chains.js';

/** Chains that refresh at once, each again as soon as it has its next token, until one answer is none, or they are stopped. */
export class Load {
  /** How each chain ended: the first outcome that was no token, or its last one. */
  readonly ended: Promise<Outcome[]>;
  private count = 0;
  private isStopped = false;
  private readonly counted = new EventEmitter();

  /** @param urls the processes of the service, which each chain asks in turn */
  constructor(
    chains: Chain[],
    private readonly urls: string[],
  ) {
    this.ended = Promise.all(chains.map((chain, at) => this.drive(chain, at)));
  }

  /** Until so many tokens came in all. */
  async answered(count: number): Promise<void> {
    if (this.count >= count) return;
    const early = this.ended.then((outcomes) => {
      throw new Error(`The load ended after ${this.count} tokens: ${JSON.stringify(outcomes)}`);
    });
    await Promise.race([once(this.counted, String(count)), early]);
  }

  /** Until so many tokens came from now on. */
  answeredMore(count: number): Promise<void> {
    return this.answered(this.count + count);
  }

  /** Each chain gets the answer that it waits for, and asks no more. @returns how each ended */
  stop(): Promise<Outcome[]> {
    this.isStopped = true;
    return this.ended;
  }

  private async drive(chain: Chain, first: number): Promise<Outcome> {
    for (let turn = first; ; turn++) {
      const outcome = await chain.refresh(this.urls[turn % this.urls.length]!);
      if (typeof outcome === 'string' || outcome.status !== 200) return outcome;
      this.counted.emit(String(++this.count));
      if (this.isStopped) return outcome;
    }
  }
}
