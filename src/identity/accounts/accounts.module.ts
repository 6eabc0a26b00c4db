import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { PicturesModule } from '../../platform/pictures/pictures.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { Settings } from '../../platform/config/settings.js';
import { DatabasePollService } from '../../platform/scheduling/database-poll.service.js';
import { RetentionService } from '../../platform/scheduling/retention.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { ErrorPagesRegistry } from '../../platform/views/error-pages.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { EndedCallersModule } from '../scopes/ended-callers.module.js';
import { EndedAccessRegistry } from '../scopes/ended-callers.registry.js';
import { AccountAppsRegistry } from './account-apps.registry.js';
import { ACCOUNT_ERROR_PAGES } from './account-errors.js';
import { AccountStoreModule } from './account-store.module.js';
import { AccountController } from './account.controller.js';
import { registerAccountsRetention } from './accounts-retention.js';
import { ActivityController } from './activity/activity.controller.js';
import { DeletedController, DeletionController } from './deletion/deletion.controller.js';
import { DeletionService } from './deletion/deletion.service.js';
import { ChangeEmailController, TakeBackEmailController, VerifyEmailController } from './email/email.controller.js';
import { EmailTakeBackService } from './email/email-take-back.service.js';
import { EmailAddressesService } from './email/email-addresses.service.js';
import { AccountsPersonalDataService } from './export/accounts-personal-data.service.js';
import { ExportController } from './export/export.controller.js';
import { ExportService } from './export/export.service.js';
import { PasskeySignInService } from './passkeys/passkey-sign-in.service.js';
import { Passkey, UsedPasskeyChallenge } from './passkeys/passkey.entity.js';
import {
  PasskeyAssetsController,
  PasskeysController,
  PasskeySignInController,
} from './passkeys/passkeys.controller.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { PasskeysStore } from './passkeys/passkeys.store.js';
import { ChangePasswordController } from './password/change-password.controller.js';
import { ForgotPasswordController, ResetPasswordController } from './password/password-reset.controller.js';
import { PasswordResetService } from './password/password-reset.service.js';
import { PasswordsService } from './password/passwords.service.js';
import { ProfilePicture } from './profile/profile-picture.entity.js';
import { ProfilePicturesService } from './profile/profile-pictures.service.js';
import { PicturesController, ProfileController, RemovePictureController } from './profile/profile.controller.js';
import { ProfileService } from './profile/profile.service.js';
import { SessionCookiesService } from './sessions/session-cookies.service.js';
import { Session } from './sessions/session.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignOutRedirectsService } from './sessions/sign-out-redirects.service.js';
import { SignOutController } from './sessions/sign-out.controller.js';
import { FailedSignInsService } from './sign-in/failed-sign-ins.service.js';
import { KnownBrowser } from './sign-in/known-browser.entity.js';
import { KnownBrowsersService } from './sign-in/known-browsers.service.js';
import { NetworkFailureLimiterService } from './sign-in/network-failure-limiter.service.js';
import { PasskeyChallengesService } from './sign-in/passkey-challenges.service.js';
import { PasswordConfirmationService } from './sign-in/password-confirmation.service.js';
import { SignInAttemptCounter } from './sign-in/sign-in-attempt-counter.entity.js';
import { SignInThrottleService } from './sign-in/sign-in-throttle.service.js';
import { UnsubscribeController } from './profile/unsubscribe.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpService } from './sign-up/sign-up.service.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of accounts. */
  interface AuditEventTypes {
    'account.blocked': true;
    'account.unblocked': true;
    'account.role_changed': true;
    'account.exported': true;
    'account.deleted': true;
    'session.created': true;
    'session.ended': true;
    'sign_in.failed': true;
    'password.changed': true;
    'password.reset': true;
    'password.link_created': true;
    'email.verified': true;
    'email.changed': true;
    'email.rejected': true;
    'email.taken_back': true;
    'passkey.added': true;
    'passkey.removed': true;
    'passkey.rejected': true;
  }
}

const ENTITIES = [KnownBrowser, Passkey, ProfilePicture, Session, SignInAttemptCounter, UsedPasskeyChallenge];

/** Accounts and the pages on which people sign in and manage their account. */
@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    AccountStoreModule,
    AuditModule,
    MailModule,
    PicturesModule,
    RateLimitingModule,
    SchedulingModule,
    EndedCallersModule,
    ViewsModule,
  ],
  controllers: [
    SignInController,
    PasskeySignInController,
    SignUpController,
    SignOutController,
    AccountController,
    ProfileController,
    RemovePictureController,
    PicturesController,
    UnsubscribeController,
    ChangeEmailController,
    VerifyEmailController,
    TakeBackEmailController,
    ChangePasswordController,
    ForgotPasswordController,
    ResetPasswordController,
    PasskeysController,
    PasskeyAssetsController,
    SessionsController,
    ActivityController,
    ExportController,
    DeletionController,
    DeletedController,
  ],
  providers: [
    AccountAppsRegistry,
    AccountsPersonalDataService,
    DeletionService,
    EmailAddressesService,
    EmailTakeBackService,
    ExportService,
    FailedSignInsService,
    KnownBrowsersService,
    NetworkFailureLimiterService,
    PasskeyChallengesService,
    PasskeySignInService,
    PasskeysService,
    PasskeysStore,
    PasswordConfirmationService,
    PasswordResetService,
    PasswordsService,
    ProfilePicturesService,
    ProfileService,
    SessionCookiesService,
    SessionsService,
    SignInService,
    SignInThrottleService,
    SignOutRedirectsService,
    SignUpService,
  ],
  exports: [
    AccountAppsRegistry,
    AccountStoreModule,
    DeletionService,
    ExportService,
    PasswordConfirmationService,
    PasswordResetService,
    PasswordsService,
    SessionsService,
    SignOutRedirectsService,
  ],
})
export class AccountsModule implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    private readonly databasePoll: DatabasePollService,
    private readonly endedAccess: EndedAccessRegistry,
    private readonly settings: Settings,
    errorPages: ErrorPagesRegistry,
  ) {
    errorPages.add(ACCOUNT_ERROR_PAGES);
  }

  onModuleInit(): void {
    registerAccountsRetention(this.retention);
    this.pollEndedAccess();
  }

  /** Reads the accounts whose access ended during the lifetime of an access token. */
  private pollEndedAccess(): void {
    const lifetimeMs = this.settings.ACCESS_TOKEN_LIFETIME * 1000;
    this.databasePoll.register<{ id: string; access_removed_at: number; deleted_at: number | null }>({
      name: 'ended_access',
      columns: ['id', 'access_removed_at', 'deleted_at'],
      from: `accounts WHERE access_removed_at > CAST(:now AS bigint) - ${lifetimeMs}`,
      receive: (rows) =>
        this.endedAccess.replaceAll(
          rows.map(({ id, access_removed_at, deleted_at }) => ({
            id,
            accessRemovedAt: new Date(access_removed_at),
            deletedAt: deleted_at === null ? null : new Date(deleted_at),
          })),
        ),
    });
  }
}
