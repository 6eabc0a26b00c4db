import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts.module.js';
import { PicturesModule } from '../../platform/pictures/pictures.module.js';
import { AccountOverviewController } from './account.controller.js';
import { ProfilePicturesModule } from './profile/profile-pictures.module.js';
import { ProfileController } from './profile/profile.controller.js';
import { ProfileService } from './profile/profile.service.js';
import { RemovePictureController } from './profile/remove-picture.controller.js';
import { AccountSessionsController } from './sessions/sessions.controller.js';
import { AccountSessionsService } from './sessions/account-sessions.service.js';

/** The overview of a person's account, the profile and the sessions. */
@Module({
  imports: [AccountsModule, PicturesModule, ProfilePicturesModule],
  controllers: [AccountOverviewController, ProfileController, RemovePictureController, AccountSessionsController],
  providers: [AccountSessionsService, ProfileService],
})
export class AccountPagesModule {}
