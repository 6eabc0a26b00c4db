import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Get,
  Header,
  HttpException,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  PayloadTooLargeException,
  StreamableFile,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { EMPTY, type Observable } from 'rxjs';
import { readForm, UnreadableBodyError } from '../http/body-reader.js';
import { Public } from '../http/public.decorator.js';
import type { StoredPicture } from './stored-picture.js';

/** Largest picture that a person can upload: 2 MiB. */
const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Limits of the text fields, in characters. The largest valid field has 100. */
const TEXT_FIELD_LIMITS = { fields: 10, fieldNameSize: 100, fieldSize: 16_384, fieldNestingDepth: 0 };

/** A submitted form with a file field `picture`. */
export interface PictureForm {
  fields: URLSearchParams;
  /** The uploaded file, if there is one. */
  picture: Buffer | null;
  /** Whether the uploaded file is larger than the limit. Its bytes were dropped. */
  isPictureTooLarge: boolean;
}

interface UploadRequest extends Request {
  file?: { buffer: Buffer };
}

/** The reader of multipart forms. Without other options it keeps the file in memory. */
const PictureInterceptor = FileInterceptor('picture', {
  limits: { ...TEXT_FIELD_LIMITS, files: 1, fileSize: MAX_PICTURE_BYTES },
});

/**
 * Reads the form of a POST request for `@Body() form: PictureForm`, after the guards. The form is
 * multipart with a file, or has only text fields.
 */
@Injectable()
export class PictureFormInterceptor implements NestInterceptor {
  private readonly upload = new PictureInterceptor();

  /** @throws UnreadableBodyError, HttpException if the multipart form is malformed */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<UploadRequest>();
    if (request.method === 'POST') {
      request.body = request.is('multipart/form-data')
        ? await this.readUpload(context, request)
        : { ...WITHOUT_PICTURE, fields: await readForm(request, http.getResponse<Response>()) };
    }
    return next.handle();
  }

  /** A file that is too large ends the form, so the page has its file field last. */
  private async readUpload(context: ExecutionContext, request: UploadRequest): Promise<PictureForm> {
    const read = this.upload.intercept(context, { handle: () => EMPTY });
    const isPictureTooLarge = await Promise.resolve(read).then(() => false, isTooLargeError);
    return { fields: toSearchParams(request.body), picture: request.file?.buffer ?? null, isPictureTooLarge };
  }
}

const WITHOUT_PICTURE = { picture: null, isPictureTooLarge: false };

/** @throws the error itself if it has another reason */
function isTooLargeError(error: unknown): true {
  if (error instanceof PayloadTooLargeException) return true;
  throw error instanceof HttpException ? error : new UnreadableBodyError(400);
}

function toSearchParams(body: unknown): URLSearchParams {
  const entries = Object.entries(body as Record<string, unknown>);
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

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
