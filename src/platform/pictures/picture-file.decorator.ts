import { applyDecorators, Get, Header, NotFoundException, StreamableFile } from '@nestjs/common';
import { Public } from '../http/public.decorator.js';
import type { StoredPicture } from './stored-picture.js';

/**
 * Declares a handler that serves a picture by its `:id` to pages and apps. The bytes of an address
 * never change. The browser never interprets them as a document.
 */
export function PictureFile(): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    Public('no-token'),
    Header('Cache-Control', 'public, max-age=31536000, immutable'),
    Header('Content-Security-Policy', "default-src 'none'; sandbox"),
    Header('Cross-Origin-Resource-Policy', 'cross-origin'),
    Header('X-Content-Type-Options', 'nosniff'),
  );
}

/** Returns the response of such a handler. @throws NotFoundException without a picture */
export function streamPicture(picture: StoredPicture | null): StreamableFile {
  if (!picture) throw new NotFoundException();
  return new StreamableFile(picture.content, { type: picture.contentType, length: picture.content.length });
}
