import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { PeriodicLoader } from '../../platform/scheduling/periodic-loader.js';
import { EndedAccessRegistry } from '../scopes/ended-callers.registry.js';
import { AccountsStore } from './accounts.store.js';

/**
 * Reads the accounts whose access tokens ended in the lifetime of an access token, for the scope
 * guard.
 */
@Injectable()
export class EndedAccessLoaderService extends PeriodicLoader {
  private readonly logger = new EventLogger(EndedAccessLoaderService.name, {
    ended_access_reload_failed: 'warn',
  });

  constructor(
    private readonly accounts: AccountsStore,
    private readonly endedAccess: EndedAccessRegistry,
    private readonly settings: Settings,
  ) {
    super();
  }

  protected async load(): Promise<void> {
    const since = new Date(Date.now() - this.settings.ACCESS_TOKEN_LIFETIME * 1000);
    this.endedAccess.replaceAll(await this.accounts.listEndedAccess(since));
  }

  protected logFailure(error: unknown): void {
    const message = 'The accounts without access cannot be read; the tokens of the known ones stay rejected.';
    this.logger.log('ended_access_reload_failed', message, { error });
  }
}
