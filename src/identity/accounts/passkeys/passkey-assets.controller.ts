import { Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { Public } from '../../../platform/http/public.decorator.js';

/** Serves the script of the sign-in page and the passkeys page. */
@Controller('assets')
export class PasskeyAssetsController {
  @Get('passkeys.js')
  @Public('no-token')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getScript(): StreamableFile {
    return new StreamableFile(createReadStream(new URL('assets/passkeys.js', import.meta.url)));
  }
}
