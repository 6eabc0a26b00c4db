import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDataModule } from '../account-data.module.js';
import { AccountDataRegistry } from '../account-data.registry.js';
import { PicturesController } from './pictures.controller.js';
import { describeProfilePictureData } from './profile-picture-data.js';
import { ProfilePicture } from './profile-picture.entity.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/** Stores and serves the uploaded pictures of accounts. */
@Module({
  imports: [AccountDataModule, TypeOrmModule.forFeature([ProfilePicture])],
  controllers: [PicturesController],
  providers: [ProfilePicturesService],
  exports: [ProfilePicturesService],
})
export class ProfilePicturesModule implements OnModuleInit {
  constructor(
    private readonly accountData: AccountDataRegistry,
    private readonly pictures: ProfilePicturesService,
  ) {}

  onModuleInit(): void {
    this.accountData.register(describeProfilePictureData(this.pictures));
  }
}
