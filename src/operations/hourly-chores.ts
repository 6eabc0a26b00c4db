import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { KeyRotation } from '../keys/key-rotation.js';
import { Chores } from './chores.service.js';
import { CleanUp } from './clean-up.service.js';

const HOUR = 3600_000;

/** What is done when the service starts, and every hour; where there are several processes, by one of them. */
@Injectable()
export class HourlyChores implements OnModuleDestroy {
  private readonly logger = new Logger(HourlyChores.name);
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(
    private readonly chores: Chores,
    private readonly cleanUp: CleanUp,
    private readonly keys: KeyRotation,
  ) {}

  /** @param every milliseconds to the next look, at least; a tenth more at most, so that processes do not look as one */
  start(every = HOUR): void {
    this.running = this.lookAndDo().finally(() => {
      if (this.over.signal.aborted) return;
      this.timer = setTimeout(() => this.start(every), every * (1 + Math.random() / 10)).unref();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.over.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private async lookAndDo(): Promise<void> {
    await this.doIfDue('signing-keys', () => this.keys.lookAfter());
    await this.doIfDue('clean-up', async () => {
      const gone = await this.cleanUp.run({ signal: this.over.signal });
      if (gone > 0) this.logger.log(`Deleted ${gone} rows that no longer matter.`);
    });
  }

  /** What fails is left whole, and done at another time. */
  private async doIfDue(name: string, work: () => Promise<void>): Promise<void> {
    try {
      if (!this.over.signal.aborted && (await this.chores.take(name, HOUR))) await work();
    } catch (error) {
      this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    }
  }
}
