import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { PictureFile, streamPicture } from '../../../platform/pictures/picture-file.decorator.js';
import { AppIconsService } from './app-icons.service.js';

/** Serves the uploaded icons of apps. */
@Controller('app-icons')
export class AppIconsController {
  constructor(private readonly icons: AppIconsService) {}

  @PictureFile()
  async get(@Param('id') id: string): Promise<StreamableFile> {
    return streamPicture(await this.icons.find(id));
  }
}
