import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LessThan } from 'typeorm';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { RateLimitingModule } from '../../../platform/rate-limiting/rate-limiting.module.js';
import { RetentionService } from '../../../platform/scheduling/retention.service.js';
import { SchedulingModule } from '../../../platform/scheduling/scheduling.module.js';
import { AccountDataRegistry } from '../account-data.registry.js';
import { AccountsModule } from '../accounts.module.js';
import { PasskeyAssetsController } from './passkey-assets.controller.js';
import { describePasskeyData } from './passkey-data.js';
import { PasskeyRegistrationService } from './passkey-registration.service.js';
import { PasskeySignInController } from './passkey-sign-in.controller.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import { Passkey } from './passkey.entity.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysPageService } from './passkeys-page.service.js';
import { PasskeysService } from './passkeys.service.js';
import { PasskeysStore } from './passkeys.store.js';
import { UsedPasskeyChallenge } from './used-passkey-challenge.entity.js';

/** Passkeys: the page to add and remove them, and the sign-in with them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Passkey, UsedPasskeyChallenge]),
    AccountsModule,
    AuditModule,
    RateLimitingModule,
    SchedulingModule,
  ],
  controllers: [PasskeyAssetsController, PasskeysController, PasskeySignInController],
  providers: [PasskeyRegistrationService, PasskeySignInService, PasskeysPageService, PasskeysService, PasskeysStore],
  exports: [PasskeysService],
})
export class PasskeysModule implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    private readonly accountData: AccountDataRegistry,
    private readonly passkeys: PasskeysService,
  ) {}

  onModuleInit(): void {
    this.accountData.register(describePasskeyData(this.passkeys));
    this.retention.register({
      entity: UsedPasskeyChallenge,
      key: 'digest',
      where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
      order: { expiresAt: 'ASC' },
    });
  }
}
