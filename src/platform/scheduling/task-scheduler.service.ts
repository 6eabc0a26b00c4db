import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { KeyRotationService } from '../../identity/keys/key-rotation.service.js';
import { TaskLeaseService } from './task-lease.service.js';
import { RetentionService } from './retention.service.js';

const HOUR_MS = 3600_000;

/** What is done when the service starts, and every hour; where there are several processes, by one of them. */
@Injectable()
export class TaskScheduler implements OnModuleDestroy {
  private readonly logger = new Logger(TaskScheduler.name);
  private readonly abortController = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private currentRun = Promise.resolve();

  constructor(
    private readonly leases: TaskLeaseService,
    private readonly retention: RetentionService,
    private readonly keyRotation: KeyRotationService,
  ) {}

  /** @param every milliseconds to the next look, at least; a tenth more at most, so that processes do not look as one */
  start(every = HOUR_MS): void {
    this.currentRun = this.runDueTasks().finally(() => {
      if (this.abortController.signal.aborted) return;
      this.timer = setTimeout(() => this.start(every), every * (1 + Math.random() / 10)).unref();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.abortController.abort();
    clearTimeout(this.timer);
    await this.currentRun;
  }

  private async runDueTasks(): Promise<void> {
    await this.runIfDue('signing-keys', () => this.keyRotation.retireAndRotateDueKeys());
    await this.runIfDue('clean-up', async () => {
      const gone = await this.retention.deleteExpired({ signal: this.abortController.signal });
      if (gone > 0) this.logger.log(`Deleted ${gone} rows that no longer matter.`);
    });
  }

  /** What fails is left whole, and done at another time. */
  private async runIfDue(name: string, work: () => Promise<void>): Promise<void> {
    try {
      if (!this.abortController.signal.aborted && (await this.leases.acquire(name, HOUR_MS))) await work();
    } catch (error) {
      this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    }
  }
}
