import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { PeriodicLoader } from '../../platform/scheduling/periodic-loader.js';
import { DisabledAppsRegistry } from '../scopes/ended-callers.registry.js';
import { AppsStore } from './apps.store.js';

/**
 * Reads the disabled apps for the scope guard. The access tokens of a deleted app expire, so it is
 * one of them for the lifetime of an access token.
 */
@Injectable()
export class DisabledAppsService extends PeriodicLoader {
  private readonly logger = new EventLogger(DisabledAppsService.name, { disabled_apps_reload_failed: 'warn' });

  constructor(
    private readonly apps: AppsStore,
    private readonly disabledApps: DisabledAppsRegistry,
    private readonly settings: Settings,
  ) {
    super();
  }

  protected async load(): Promise<void> {
    const deletedSince = new Date(Date.now() - this.settings.ACCESS_TOKEN_LIFETIME * 1000);
    this.disabledApps.replaceAll(await this.apps.listDisabledIds(deletedSince));
  }

  protected logFailure(error: unknown): void {
    const message = 'The disabled apps cannot be read; the known ones stay disabled.';
    this.logger.log('disabled_apps_reload_failed', message, { error });
  }
}
