import { Module } from '@nestjs/common';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { AccountsModule } from '../accounts.module.js';
import { OperatorPasswordsService } from './operator-passwords.service.js';
import { PasswordUpdatesService } from './password-updates.service.js';
import { ResetLinksService } from './reset-links.service.js';

/** New passwords and reset links without pages, for the account commands. */
@Module({
  imports: [AccountsModule, AuditModule],
  providers: [OperatorPasswordsService, PasswordUpdatesService, ResetLinksService],
  exports: [OperatorPasswordsService, PasswordUpdatesService, ResetLinksService],
})
export class CredentialsModule {}
