import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';

/** Milliseconds between two reads: a change counts in every process within 2 s. */
const RELOAD_INTERVAL_MS = 500;

/**
 * Keeps data of the database in the memory of this process: reads it at the start, on a timer, and
 * at once after `reload`. While the database is unavailable, the last data stays.
 */
export abstract class PeriodicLoader implements OnModuleInit, OnModuleDestroy {
  private lastLoad: Promise<void> = Promise.resolve();
  private isLoading = false;
  private timer: NodeJS.Timeout | undefined;

  /** Reads the data and replaces the data in memory. */
  protected abstract load(): Promise<void>;

  /** Logs that `load` failed. */
  protected abstract logFailure(error: unknown): void;

  async onModuleInit(): Promise<void> {
    await this.load();
    this.timer = setInterval(() => this.isLoading || void this.reload(), RELOAD_INTERVAL_MS).unref();
  }

  /**
   * Stops the timer and waits for a read that is in progress, so that the connection can be closed.
   */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.lastLoad;
  }

  /** Reads after every read that is in progress, because that one may be out of date. */
  reload(): Promise<void> {
    this.lastLoad = this.lastLoad.then(() => this.tryLoad());
    return this.lastLoad;
  }

  private async tryLoad(): Promise<void> {
    this.isLoading = true;
    try {
      await this.load();
    } catch (error) {
      this.logFailure(error);
    } finally {
      this.isLoading = false;
    }
  }
}
