import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Chores } from './chores.service.js';
import { CleanUp } from './clean-up.service.js';

const HOUR = 3600_000;

/** Cleans up when the service starts, and every hour; where there are several processes, one of them does. */
@Injectable()
export class CleanUpSchedule implements OnModuleDestroy {
  private readonly logger = new Logger('CleanUp');
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(
    private readonly chores: Chores,
    private readonly cleanUp: CleanUp,
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

  /** What fails is left whole, and done at another time. */
  private async lookAndDo(): Promise<void> {
    try {
      if (!(await this.chores.take('clean-up', HOUR))) return;
      const gone = await this.cleanUp.run({ signal: this.over.signal });
      if (gone > 0) this.logger.log(`Deleted ${gone} rows that no longer matter.`);
    } catch (error) {
      this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    }
  }
}
