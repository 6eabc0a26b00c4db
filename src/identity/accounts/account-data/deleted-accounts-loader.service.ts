import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { DeletedAccounts } from '../../scopes/deleted-accounts.js';
import { AccountsStore } from '../accounts.store.js';

/** Milliseconds between two reads: a deletion counts in every process within 2 s. */
const RELOAD_INTERVAL_MS = 500;

/**
 * Reads the accounts that were deleted during the lifetime of an access token, for the scope guard:
 * at the start, on a timer, and at once in the process that deletes an account. While the database
 * is unavailable, the last set stays.
 */
@Injectable()
export class DeletedAccountsLoader implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new EventLogger(DeletedAccountsLoader.name);
  private lastLoad: Promise<void> = Promise.resolve();
  private isLoading = false;
  private reloadTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly deletedAccounts: DeletedAccounts,
    private readonly settings: Settings,
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
      const message = 'The deleted accounts cannot be read; the tokens of the known ones stay rejected.';
      this.logger.log('deleted_accounts_reload_failed', message, { error });
    } finally {
      this.isLoading = false;
    }
  }

  private async load(): Promise<void> {
    const since = new Date(Date.now() - this.settings.ACCESS_TOKEN_LIFETIME * 1000);
    this.deletedAccounts.replaceAll(await this.accounts.listDeletedIds(since));
  }
}
