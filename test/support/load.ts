import { EventEmitter, once } from 'node:events';
import type { Chain, Outcome } from './chains.js';

/** Chains that refresh at once, each again as soon as it has its next token, until one answer is none. */
export class Load {
  /** How each chain ended: the first outcome that was no token. */
  readonly ended: Promise<Outcome[]>;
  private count = 0;
  private readonly counted = new EventEmitter();

  constructor(
    chains: Chain[],
    private readonly url: string,
  ) {
    this.ended = Promise.all(chains.map((chain) => this.drive(chain)));
  }

  /** Until so many tokens came in all. */
  async answered(count: number): Promise<void> {
    if (this.count >= count) return;
    const early = this.ended.then((outcomes) => {
      throw new Error(`The load ended after ${this.count} tokens: ${JSON.stringify(outcomes)}`);
    });
    await Promise.race([once(this.counted, String(count)), early]);
  }

  private async drive(chain: Chain): Promise<Outcome> {
    for (;;) {
      const outcome = await chain.refresh(this.url);
      if (typeof outcome === 'string' || outcome.status !== 200) return outcome;
      this.counted.emit(String(++this.count));
    }
  }
}
