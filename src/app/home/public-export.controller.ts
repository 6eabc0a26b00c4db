import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { open } from 'node:fs/promises';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Settings } from '../../platform/config/settings.js';
import { Public } from '../../platform/http/public.decorator.js';
import { type PublicFile, PublicExportService } from './public-export.service.js';

/** Seconds for which caches may serve a file without asking again. */
const CACHE_SECONDS = 3600;

/** Seconds after which a client may ask again for a file that is not written yet. */
const RETRY_AFTER_SECONDS = 60;

/** The content of a file, an error, or nothing. */
type FileBody = StreamableFile | object | void;

/** The artworks and artists as files that everyone can download, if the operator allows it. */
@Controller('export')
@Public('no-token')
export class PublicExportController {
  constructor(
    private readonly files: PublicExportService,
    private readonly settings: Settings,
  ) {}

  @Get('artworks.geojsonseq')
  getArtworks(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<FileBody> {
    return this.serve('artworks.geojsonseq', 'application/geo+json-seq', request, response);
  }

  @Get('artists.jsonl')
  getArtists(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<FileBody> {
    return this.serve('artists.jsonl', 'application/jsonl', request, response);
  }

  /** Each encoding has its own strong entity tag (RFC 9110 §8.8.3). */
  private async serve(name: PublicFile, type: string, request: Request, response: Response): Promise<FileBody> {
    const file = await this.files.find(name);
    const handle = file && (await open(file.path).catch(() => undefined));
    if (!file || !handle) return respondNotWritten(response);
    const isGzip = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    const { licenseLink } = this.settings;
    response.set({
      ETag: `"${file.digest}${isGzip ? '-gzip' : ''}"`,
      'Last-Modified': file.writtenAt.toUTCString(),
      // Without `no-transform`, the bytes could change under the same entity tag.
      'Cache-Control': `public, max-age=${CACHE_SECONDS}, no-transform`,
      Vary: 'Accept-Encoding',
      ...(licenseLink !== undefined && { Link: licenseLink }),
    });
    delete request.headers['cache-control']; // `fetch` adds `no-cache` to conditional requests
    if (request.fresh) {
      response.status(304);
      return handle.close();
    }
    response.type(type);
    if (isGzip) response.set({ 'Content-Encoding': 'gzip', 'Content-Length': String(file.size) });
    if (request.method === 'HEAD') return handle.close();
    const compressed = handle.createReadStream();
    return new StreamableFile(isGzip ? compressed : decompress(compressed));
  }
}

function decompress(compressed: Readable): Readable {
  return pipeline(compressed, createGunzip(), () => undefined);
}

function respondNotWritten(response: Response): object {
  response.status(503).set({ 'Retry-After': String(RETRY_AFTER_SECONDS), 'Cache-Control': 'no-store' });
  return { error: 'The file is not written yet. Try again later.', code: 'export_not_written' };
}
