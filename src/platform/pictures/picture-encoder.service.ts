import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type sharp from 'sharp';
import { type FieldError, InvalidFieldsError } from '../i18n/invalid-fields-error.js';
import type { RateLimitPolicy } from '../rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../rate-limiting/rate-limiter.service.js';

/** Format of the encoded pictures. */
export const PICTURE_CONTENT_TYPE = 'image/webp';

/** Width and height of an encoded picture, in pixels. */
const PICTURE_SIZE = 256;

/** Largest number of pixels of an uploaded picture: about 100 MB of memory when decoded. */
const MAX_INPUT_PIXELS = 30_000_000;

/** Pictures that are encoded at the same time. */
const MAX_CONCURRENCY = 2;

/** Pictures that can wait for the encoder. */
const MAX_WAITING = 16;

const TIMEOUT_SECONDS = 10;

/** Limits the pictures that one person uploads, because decoding one uses much processor time. */
const UPLOAD_POLICY: RateLimitPolicy = { name: 'picture-uploads', limit: 30, windowSeconds: 3600 };

/** The decoders of libvips that an upload can reach. All others are blocked. */
const ALLOWED_LOADERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'];

/** Decodes uploaded pictures and encodes them again in one size, format and without metadata. */
@Injectable()
export class PictureEncoderService {
  private readonly runLimited = pLimit(MAX_CONCURRENCY);
  private sharp: Promise<typeof sharp> | undefined;

  constructor(private readonly rateLimiter: RateLimiterService) {}

  /**
   * Returns the first frame of a PNG, JPEG or WebP picture as WebP of 256 × 256 pixels, upright and
   * without metadata.
   * @param accountId the person who uploaded it
   * @throws InvalidFieldsError for the field `picture` if the upload is not such a picture, the
   * encoder is busy, or the person uploaded too many
   */
  async encode(upload: Buffer, accountId: string): Promise<Buffer> {
    const { isExceeded } = await this.rateLimiter.consume({ policy: UPLOAD_POLICY, key: accountId });
    if (isExceeded) throw toError('pictureTooOften');
    if (!hasPictureSignature(upload)) throw toError('pictureTypeInvalid');
    if (this.runLimited.pendingCount >= MAX_WAITING) throw toError('pictureBusy');
    return this.runLimited(async () => this.encodeNow(upload));
  }

  private async encodeNow(upload: Buffer): Promise<Buffer> {
    const open = await (this.sharp ??= loadSharp());
    // Reads only the header, so the limit of the decoder does not hide the reason.
    const { width, height } = await open(upload, { limitInputPixels: false }).metadata().catch(rejectBroken);
    if (width * height > MAX_INPUT_PIXELS) throw toError('pictureTooManyPixels');
    return open(upload, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize(PICTURE_SIZE, PICTURE_SIZE, { fit: 'cover' })
      .webp()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
      .catch(rejectBroken);
  }
}

/** Whether the first bytes are those of a PNG, JPEG or WebP file. */
function hasPictureSignature(upload: Buffer): boolean {
  const start = upload.toString('latin1', 0, 12);
  return start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff') || /^RIFF[^]{4}WEBP$/.test(start);
}

/** Loads the native library at the first upload. Most processes never need its memory. */
async function loadSharp(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  loaded.concurrency(1);
  loaded.cache(false);
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: ALLOWED_LOADERS });
  return loaded;
}

/** The message of the library names no cause that a person could correct. */
function rejectBroken(): never {
  throw toError('pictureBroken');
}

function toError(code: FieldError['code']): InvalidFieldsError {
  return new InvalidFieldsError([{ field: 'picture', code }]);
}
