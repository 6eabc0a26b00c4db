import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { AccountsModule } from './accounts.module.js';
import { ChangeEmailController } from './email/change-email.controller.js';
import { ChangeEmailService } from './email/change-email.service.js';
import { ChangePasswordController } from './password/change-password.controller.js';
import { ChangePasswordService } from './password/change-password.service.js';
import { CredentialsModule } from './password/credentials.module.js';
import { ForgotPasswordController } from './password/forgot-password.controller.js';
import { ForgotPasswordService } from './password/forgot-password.service.js';
import { ResetPasswordController } from './password/reset-password.controller.js';
import { ResetPasswordService } from './password/reset-password.service.js';
import { VerifyEmailController } from './email/verify-email.controller.js';
import { VerifyEmailService } from './email/verify-email.service.js';

/** The pages of the password and the e-mail address: change them, or recover the account. */
@Module({
  imports: [AccountsModule, AuditModule, CredentialsModule, RateLimitingModule],
  controllers: [
    ChangeEmailController,
    ChangePasswordController,
    ForgotPasswordController,
    ResetPasswordController,
    VerifyEmailController,
  ],
  providers: [
    ChangeEmailService,
    ChangePasswordService,
    ForgotPasswordService,
    ResetPasswordService,
    VerifyEmailService,
  ],
})
export class RecoveryModule {}
