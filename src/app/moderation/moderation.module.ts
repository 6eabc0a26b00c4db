import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { AppsModule } from '../../identity/apps/apps.module.js';
import { EditsModule } from '../../map/edits/edits.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ErrorPagesRegistry } from '../../platform/views/error-pages.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { LocksService } from './locks.service.js';
import { ModerationController } from './moderation.controller.js';
import { ModerationService } from './moderation.service.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of moderators. */
  interface AuditEventTypes {
    'moderation.suggestions_rejected': true;
    'moderation.account_blocked': true;
    'moderation.app_disabled': true;
  }
}

/** The pages on which moderators look after the map. */
@Module({
  imports: [AccountsModule, AppsModule, AuditModule, EditsModule, ViewsModule],
  controllers: [ModerationController],
  providers: [LocksService, ModerationService],
})
export class ModerationModule {
  constructor(errorPages: ErrorPagesRegistry) {
    errorPages.add({
      moderators_only: { messageKey: 'moderatorsOnly' },
      moderation_not_allowed: { messageKey: 'moderationNotAllowed' },
    });
  }
}
