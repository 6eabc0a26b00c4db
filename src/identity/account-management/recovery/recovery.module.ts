import { Module } from '@nestjs/common';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { RateLimitingModule } from '../../../platform/rate-limiting/rate-limiting.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ChangeEmailController } from '../credentials/change-email.controller.js';
import { ChangeEmailService } from '../credentials/change-email.service.js';
import { ChangePasswordController } from '../credentials/change-password.controller.js';
import { ChangePasswordService } from '../credentials/change-password.service.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ForgotPasswordController } from './forgot-password.controller.js';
import { ForgotPasswordService } from './forgot-password.service.js';
import { ResetPasswordController } from './reset-password.controller.js';
import { ResetPasswordService } from './reset-password.service.js';
import { VerifyEmailController } from './verify-email.controller.js';
import { VerifyEmailService } from './verify-email.service.js';

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
