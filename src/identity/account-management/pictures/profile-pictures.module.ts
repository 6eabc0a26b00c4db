import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PictureEncoder } from './picture-encoder.service.js';
import { PicturesController } from './pictures.controller.js';
import { ProfilePicture } from './profile-picture.entity.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/** Stores, encodes and serves the uploaded pictures of accounts. */
@Module({
  imports: [TypeOrmModule.forFeature([ProfilePicture])],
  controllers: [PicturesController],
  providers: [PictureEncoder, ProfilePicturesService],
  exports: [PictureEncoder, ProfilePicturesService],
})
export class ProfilePicturesModule {}
