import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { AppRecordModule } from '../../identity/app-record/app-record.module.js';
import { OAuthModule } from '../../identity/oauth/oauth.module.js';
import { CollectionsModule } from '../../map/collections/collections.module.js';
import { EditsModule } from '../../map/edits/edits.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { ConnectedAppsController } from './connected-apps.controller.js';
import { OutcomeService } from './outcome.service.js';
import { EditPageController } from './edit.controller.js';
import { RecordViewService } from './record-view.service.js';
import { UndoService } from './undo.service.js';

/** The pages on which people see what each app did for them, and undo it. */
@Module({
  imports: [AccountsModule, AppRecordModule, AuditModule, CollectionsModule, EditsModule, OAuthModule, ViewsModule],
  controllers: [ConnectedAppsController, EditPageController],
  providers: [OutcomeService, RecordViewService, UndoService],
})
export class ConnectedAppsModule {}
