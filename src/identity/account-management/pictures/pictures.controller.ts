import { Controller, Get, Header, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/**
 * Serves the uploaded pictures to pages and apps. The bytes of an address never change. The browser
 * never interprets them as a document.
 */
@Controller('pictures')
export class PicturesController {
  constructor(private readonly pictures: ProfilePicturesService) {}

  @Get(':id')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; sandbox")
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Header('X-Content-Type-Options', 'nosniff')
  async get(@Param('id') id: string): Promise<StreamableFile> {
    const picture = await this.pictures.find(id);
    if (!picture) throw new NotFoundException();
    return new StreamableFile(picture.content, { type: picture.contentType, length: picture.content.length });
  }
}
