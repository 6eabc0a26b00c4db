import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountLink } from './account-link.entity.js';
import { AccountLinksService } from './account-links.service.js';
import { EmailConfirmationService } from './email/email-confirmation.service.js';
import { ReservedLogin } from './deletion/reserved-login.entity.js';
import { ReservedLoginsService } from './deletion/reserved-logins.service.js';
import { AccountMailService } from './account-mail.service.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';

/** Accounts without sessions and pages, for the account commands. */
@Module({
  imports: [TypeOrmModule.forFeature([Account, AccountLink, ReservedLogin]), AuditModule, MailModule],
  providers: [
    AccountLinksService,
    AccountMailService,
    AccountsService,
    AccountsStore,
    EmailConfirmationService,
    ReservedLoginsService,
  ],
  exports: [
    AccountLinksService,
    AccountMailService,
    AccountsService,
    AccountsStore,
    EmailConfirmationService,
    ReservedLoginsService,
  ],
})
export class AccountStoreModule {}
