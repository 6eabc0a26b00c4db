import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';
import { SessionCookies } from './session-cookies.js';
import { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignInThrottleService } from './sign-in-throttle.service.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';
import { SignOutController } from './sign-out.controller.js';
import { SignOutService } from './sign-out.service.js';
import { SignUpController } from './sign-up.controller.js';
import { SignUpService } from './sign-up.service.js';

/** Accounts, sessions, and the pages to sign in, sign up and sign out. */
@Module({
  imports: [TypeOrmModule.forFeature([Account, Session]), AuditModule, RateLimitingModule],
  controllers: [SignInController, SignUpController, SignOutController],
  providers: [
    AccountsService,
    AccountsStore,
    SessionCookies,
    SessionsService,
    SignInThrottleService,
    SignInService,
    SignOutService,
    SignUpService,
  ],
  exports: [AccountsService, AccountsStore, SessionsService, SignOutService],
})
export class AccountsModule {}
