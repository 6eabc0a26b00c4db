import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AppsModule } from '../../apps/apps.module.js';
import { OAuthModule } from '../../oauth/oauth.module.js';
import { DeletedController } from './deleted.controller.js';
import { DeletionController } from './deletion.controller.js';
import { DeletionService } from './deletion.service.js';

/** The pages on which people delete their own account. */
@Module({
  imports: [AccountsModule, AppsModule, OAuthModule],
  controllers: [DeletionController, DeletedController],
  providers: [DeletionService],
})
export class AccountDeletionModule {}
