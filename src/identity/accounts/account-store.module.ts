import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';

/** Accounts without sessions and pages, for the account commands. */
@Module({
  imports: [TypeOrmModule.forFeature([Account]), AuditModule],
  providers: [AccountsService, AccountsStore],
  exports: [AccountsService, AccountsStore],
})
export class AccountStoreModule {}
