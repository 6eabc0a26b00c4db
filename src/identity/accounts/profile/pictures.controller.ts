import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { PictureFile, streamPicture } from '../../../platform/pictures/picture-form.interceptor.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/** Serves the uploaded pictures of accounts. */
@Controller('pictures')
export class PicturesController {
  constructor(private readonly pictures: ProfilePicturesService) {}

  @PictureFile()
  async get(@Param('id') id: string): Promise<StreamableFile> {
    return streamPicture(await this.pictures.find(id));
  }
}
