import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { Public } from '../../platform/http/public.decorator.js';

const require = createRequire(import.meta.url);

/** The files of Swagger UI, and the files of this folder, by name. */
const ASSET_PATHS = new Map<string, () => string | URL>([
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.js'].map((name): [string, () => string] => [
    name,
    () => require.resolve(`swagger-ui-dist/${name}`),
  ]),
  ...['reference.js', 'reference.css'].map((name): [string, () => URL] => [
    name,
    () => new URL(`assets/${name}`, import.meta.url),
  ]),
]);

/** The scripts and style sheets of the page for developers. Caches may store them for an hour. */
@Controller('docs/assets')
export class DocsAssetsController {
  @Get(':name')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  getAsset(@Param('name') name: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    const resolvePath = ASSET_PATHS.get(name);
    if (!resolvePath) throw new NotFoundException();
    response.type(name);
    return new StreamableFile(createReadStream(resolvePath()));
  }
}
