import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { PeriodicLoader } from '../../../platform/scheduling/periodic-loader.js';
import { DeletedAccountsRegistry } from '../../scopes/ended-callers.registry.js';
import { AccountsStore } from '../accounts.store.js';

/** Reads the accounts that were deleted in the lifetime of an access token, for the scope guard. */
@Injectable()
export class DeletedAccountsLoaderService extends PeriodicLoader {
  private readonly logger = new EventLogger(DeletedAccountsLoaderService.name, {
    deleted_accounts_reload_failed: 'warn',
  });

  constructor(
    private readonly accounts: AccountsStore,
    private readonly deletedAccounts: DeletedAccountsRegistry,
    private readonly settings: Settings,
  ) {
    super();
  }

  protected async load(): Promise<void> {
    const since = new Date(Date.now() - this.settings.ACCESS_TOKEN_LIFETIME * 1000);
    this.deletedAccounts.replaceAll(await this.accounts.listDeletedIds(since));
  }

  protected logFailure(error: unknown): void {
    const message = 'The deleted accounts cannot be read; the tokens of the known ones stay rejected.';
    this.logger.log('deleted_accounts_reload_failed', message, { error });
  }
}
