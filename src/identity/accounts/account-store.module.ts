import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountMailService } from './account-mail.service.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';
import { ReservedIdentitiesService } from './deletion/reserved-identities.service.js';
import { ReservedIdentity } from './deletion/reserved-identity.entity.js';
import { EmailToken } from './email-token.entity.js';
import { EmailTokensService } from './email-tokens.service.js';
import { PersonalDataRegistry } from './personal-data.registry.js';

const SERVICES = [AccountMailService, AccountsService, AccountsStore, EmailTokensService, PersonalDataRegistry];

/** Accounts without sessions and pages, for the account commands and the resources of the map. */
@Module({
  imports: [TypeOrmModule.forFeature([Account, EmailToken, ReservedIdentity]), AuditModule, MailModule],
  providers: [...SERVICES, ReservedIdentitiesService],
  exports: [...SERVICES, ReservedIdentitiesService],
})
export class AccountStoreModule {}
