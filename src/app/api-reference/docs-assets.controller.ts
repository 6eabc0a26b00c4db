import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { Public } from '../../platform/http/public.decorator.js';

const ASSETS = ['reference.js', 'reference.css', 'oauth-redirect.js'];

/** The scripts and the style sheet of the API reference. Caches may store them for an hour. */
@Controller('docs/assets')
export class DocsAssetsController {
  @Get(':name')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getAsset(@Param('name') name: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    if (!ASSETS.includes(name)) throw new NotFoundException();
    response.type(name);
    return new StreamableFile(createReadStream(new URL(`assets/${name}`, import.meta.url)));
  }
}
