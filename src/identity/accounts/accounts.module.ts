import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditQueryService } from '../../platform/audit/audit-query.service.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OutgoingEmailsStore } from '../../platform/mail/outgoing-emails.store.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { RetentionService } from '../../platform/scheduling/retention.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { ScopesModule } from '../scopes/scopes.module.js';
import { AccountDataRegistry } from './account-data.registry.js';
import { AccountDataModule } from './account-data.module.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { AccountExportService } from './export/account-export.service.js';
import { describeAccountData, describeAuditData, describeSessionData } from './export/accounts-data.js';
import { describeAccountLinkData, describeKnownSourcesData, describeMailData } from './export/sign-in-data.js';
import { AccountLinksService } from './account-links.service.js';
import { DeletedAccountsLoader } from './deletion/deleted-accounts-loader.service.js';
import { AccountStoreModule } from './account-store.module.js';
import { AccountAppsRegistry } from './account-apps.registry.js';
import { AccountsStore } from './accounts.store.js';
import { registerAccountsRetention } from './accounts-retention.js';
import { PasskeyChallenges } from './sign-in/passkey-challenges.service.js';
import { PasskeyRequestsService } from './sign-in/passkey-requests.service.js';
import { FailedSignInsService } from './sign-in/failed-sign-ins.service.js';
import { PasswordConfirmationService } from './sign-in/password-confirmation.service.js';
import { KnownBrowser } from './sign-in/known-browser.entity.js';
import { KnownNetwork } from './sign-in/known-network.entity.js';
import { KnownSourcesService } from './sign-in/known-devices.service.js';
import { NetworkFailureLimiter } from './sign-in/network-sign-in-limiter.service.js';
import { SessionCookies } from './sessions/session-cookies.service.js';
import { Session } from './sessions/session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInAttemptCounter } from './sign-in/sign-in-attempt-counter.entity.js';
import { SignInThrottleService } from './sign-in/sign-in-throttle.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignOutController } from './sessions/sign-out.controller.js';
import { SignOutService } from './sessions/sign-out.service.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpService } from './sign-up/sign-up.service.js';

/** Accounts, sessions, and the pages to sign in, sign up and sign out. */
@Module({
  imports: [
    TypeOrmModule.forFeature([KnownBrowser, KnownNetwork, Session, SignInAttemptCounter]),
    AccountDataModule,
    AccountStoreModule,
    AuditModule,
    MailModule,
    RateLimitingModule,
    SchedulingModule,
    ScopesModule,
  ],
  controllers: [SignInController, SignUpController, SignOutController],
  providers: [
    AccountAppsRegistry,
    PasskeyChallenges,
    PasskeyRequestsService,
    AccountDeletionService,
    AccountExportService,
    DeletedAccountsLoader,
    FailedSignInsService,
    PasswordConfirmationService,
    KnownSourcesService,
    NetworkFailureLimiter,
    SessionCookies,
    SessionsService,
    SignInThrottleService,
    SignInService,
    SignOutService,
    SignUpService,
  ],
  exports: [
    AccountDataModule,
    AccountDeletionService,
    AccountExportService,
    AccountStoreModule,
    AccountAppsRegistry,
    PasskeyChallenges,
    PasskeyRequestsService,
    PasswordConfirmationService,
    SessionsService,
    SignInService,
    SignOutService,
  ],
})
export class AccountsModule implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    private readonly accountData: AccountDataRegistry,
    private readonly accounts: AccountsStore,
    private readonly deletedAccounts: DeletedAccountsLoader,
    private readonly sessions: SessionsService,
    private readonly auditEvents: AuditQueryService,
    private readonly knownSources: KnownSourcesService,
    private readonly links: AccountLinksService,
    private readonly emails: OutgoingEmailsStore,
  ) {}

  onModuleInit(): void {
    this.accountData.register(describeAccountData(this.accounts, this.deletedAccounts));
    this.accountData.register(describeSessionData(this.sessions));
    this.accountData.register(describeKnownSourcesData(this.knownSources));
    this.accountData.register(describeAccountLinkData(this.links));
    this.accountData.register(describeMailData(this.emails));
    this.accountData.register(describeAuditData(this.auditEvents));
    registerAccountsRetention(this.retention);
  }
}
