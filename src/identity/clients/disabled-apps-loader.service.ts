import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { DisabledApps } from '../scopes/disabled-apps.js';
import { AppsStore } from './apps.store.js';

/** Milliseconds between two reads: a change counts in every process within 2 s. */
const RELOAD_INTERVAL_MS = 500;

/**
 * Reads the disabled apps for the scope guard: at the start, on a timer, and at once in the process
 * that disables or enables an app. While the database is unavailable, the last set stays.
 */
@Injectable()
export class DisabledAppsLoader implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new EventLogger(DisabledAppsLoader.name);
  private lastLoad: Promise<void> = Promise.resolve();
  private isLoading = false;
  private reloadTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly apps: AppsStore,
    private readonly disabledApps: DisabledApps,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.load();
    this.reloadTimer = setInterval(() => this.isLoading || void this.reload(), RELOAD_INTERVAL_MS).unref();
  }

  /**
   * Stops the timer and waits for a read that is in progress, so that the connection can be closed.
   */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.reloadTimer);
    await this.lastLoad;
  }

  /** Reads the set after every read that is in progress, because that one may be out of date. */
  reload(): Promise<void> {
    this.lastLoad = this.lastLoad.then(() => this.tryLoad());
    return this.lastLoad;
  }

  private async tryLoad(): Promise<void> {
    this.isLoading = true;
    try {
      await this.load();
    } catch (error) {
      this.logger.log(
        'disabled_apps_reload_failed',
        'The disabled apps cannot be read; the known ones stay disabled.',
        {
          error,
        },
      );
    } finally {
      this.isLoading = false;
    }
  }

  private async load(): Promise<void> {
    this.disabledApps.replaceAll(await this.apps.listDisabledIds());
  }
}
