import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountMailService } from './account-mail.service.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';

/** Accounts without sessions and pages, for the account commands. */
@Module({
  imports: [TypeOrmModule.forFeature([Account]), AuditModule, MailModule],
  providers: [AccountMailService, AccountsService, AccountsStore],
  exports: [AccountMailService, AccountsService, AccountsStore],
})
export class AccountStoreModule {}
