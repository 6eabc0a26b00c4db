import { Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { Public } from '../http/public.decorator.js';

/** Serves the stylesheet and the icon of the pages. */
@Controller('assets')
export class AssetsController {
  @Get('style.css')
  @Public('no-token')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getStylesheet(): StreamableFile {
    return streamAsset('style.css');
  }

  @Get('icon.svg')
  @Public('no-token')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', 'public, max-age=3600')
  getIcon(): StreamableFile {
    return streamAsset('icon.svg');
  }
}

function streamAsset(name: string): StreamableFile {
  return new StreamableFile(createReadStream(new URL(`assets/${name}`, import.meta.url)));
}
