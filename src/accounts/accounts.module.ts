import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Account]), AuditModule],
  providers: [AccountsService],
  exports: [AccountsService],
})
export class AccountsModule {}
