import { Controller, Get, Header, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { Public } from '../../platform/http/public.decorator.js';
import { DOCUMENTS_ROOT, listImages } from './document-catalog.js';

/** The style sheet and the images of the documents. Caches may store them for an hour. */
@Controller('docs/files')
export class DocumentFilesController {
  @Get('documents.css')
  @Public('no-token')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  getStylesheet(): StreamableFile {
    return new StreamableFile(createReadStream(new URL('assets/documents.css', import.meta.url)));
  }

  @Get(':name')
  @Public('no-token')
  @Header('Cache-Control', 'public, max-age=3600')
  async getImage(@Param('name') name: string, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    if (!(await listImages()).includes(name)) throw new NotFoundException();
    response.type(name);
    return new StreamableFile(createReadStream(new URL(`docs/${name}`, DOCUMENTS_ROOT)));
  }
}
