import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { Settings } from '../../platform/config/settings.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { PicturesModule } from '../../platform/pictures/pictures.module.js';
import { DatabasePollService } from '../../platform/scheduling/database-poll.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { type ErrorPageTexts, ErrorPagesRegistry } from '../../platform/views/error-pages.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { PersonalDataRegistry } from '../accounts/personal-data.registry.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountAppsRegistry } from '../accounts/account-apps.registry.js';
import { EndedCallersModule } from '../scopes/ended-callers.module.js';
import { DisabledAppsRegistry } from '../scopes/ended-callers.registry.js';
import { AppDeletionService } from './app-deletion.service.js';
import { App } from './app.entity.js';
import { AppIconsService } from './app-icons.service.js';
import { AppsPersonalDataService } from './apps-personal-data.service.js';
import { AppsService } from './apps.service.js';
import { AppsStore } from './apps.store.js';
import { ClientMetadataService } from './client-metadata/client-metadata.service.js';
import { AppIconController, AppIconsController } from './developer/app-icons.controller.js';
import { DeveloperAppsController } from './developer/developer-apps.controller.js';
import { DeveloperAppsService } from './developer/developer-apps.service.js';
import { NewCredentialsService } from './developer/new-credentials.service.js';
import { FailedCall } from './failed-calls/failed-call.entity.js';
import { FailedCallsService } from './failed-calls/failed-calls.service.js';
import { FailedCallsStore } from './failed-calls/failed-calls.store.js';
import { StoredAppIcon } from './stored-app-icon.entity.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of apps. */
  interface AuditEventTypes {
    'app.registered': true;
    'app.changed': true;
    'app.secret_rotated': true;
    'app.old_secret_used': true;
    'app.disabled': true;
    'app.enabled': true;
    'app.deleted': true;
  }
}

/** The error pages of developers. */
const ERROR_PAGES: Record<string, ErrorPageTexts> = {
  account_blocked: { messageKey: 'accountBlocked' },
  too_many_apps: { messageKey: 'tooManyApps' },
  too_many_registrations: { messageKey: 'tooManyRegistrations' },
};

/** Registered apps (OAuth clients), their failed calls, and the pages of their developers. */
@Module({
  imports: [
    TypeOrmModule.forFeature([App, FailedCall, StoredAppIcon]),
    AccountsModule,
    AuditModule,
    PicturesModule,
    RateLimitingModule,
    SchedulingModule,
    EndedCallersModule,
    ViewsModule,
  ],
  controllers: [DeveloperAppsController, AppIconController, AppIconsController],
  providers: [
    AppDeletionService,
    AppIconsService,
    AppsPersonalDataService,
    AppsService,
    AppsStore,
    ClientMetadataService,
    DeveloperAppsService,
    FailedCallsService,
    FailedCallsStore,
    NewCredentialsService,
  ],
  exports: [AppDeletionService, AppsService, AppsStore, ClientMetadataService, FailedCallsService],
})
export class AppsModule implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly appsPersonalData: AppsPersonalDataService,
    private readonly accountApps: AccountAppsRegistry,
    private readonly store: AppsStore,
    private readonly apps: AppsService,
    private readonly databasePoll: DatabasePollService,
    private readonly disabledApps: DisabledAppsRegistry,
    private readonly settings: Settings,
    errorPages: ErrorPagesRegistry,
  ) {
    errorPages.add(ERROR_PAGES);
  }

  onModuleInit(): void {
    this.pollDisabledApps();
    this.personalData.register(this.appsPersonalData);
    this.accountApps.registerApps({
      find: (id) => this.store.find(id),
      listByOwner: (accountId) => this.store.listByOwner(accountId),
      disableByOwner: (tx, accountId) => this.apps.disableByOwner(tx, accountId),
    });
  }

  /**
   * Reads the disabled apps. The access tokens of a deleted app expire, so it is one of them for
   * the lifetime of an access token.
   */
  private pollDisabledApps(): void {
    const deletedSince = `CAST(:now AS bigint) - ${this.settings.ACCESS_TOKEN_LIFETIME * 1000}`;
    this.databasePoll.register<{ id: string }>({
      name: 'disabled_apps',
      columns: ['id'],
      from: `apps WHERE disabled_at IS NOT NULL AND (deleted_at IS NULL OR deleted_at > ${deletedSince})`,
      receive: (rows) => this.disabledApps.replaceAll(rows.map(({ id }) => id)),
    });
  }
}
