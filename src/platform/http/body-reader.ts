import express, { type Request, type Response } from 'express';

/** The largest body that any endpoint takes. */
const MAX_BODY_SIZE = '64kb';

/** A body that could not be read: too large (413), cut short or badly encoded (400), in an unknown encoding (415). */
export class UnreadableBodyError extends Error {
  constructor(readonly status: number) {
    super(`The body cannot be read (${status}).`);
  }
}

const readRawBody = express.raw({ type: () => true, limit: MAX_BODY_SIZE });
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as text, which must be UTF-8; an empty one is ''. Bodies are read after the guards, so that who may not
 * call is told so first, whatever they sent.
 * @throws UnreadableBody
 */
export async function readBodyText(request: Request, response: Response): Promise<string> {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw new UnreadableBodyError(415);
  await new Promise<void>((resolve, reject) => {
    readRawBody(request, response, (error?: unknown) => {
      if (error) reject(new UnreadableBodyError((error as { status?: number }).status ?? 400));
      else resolve();
    });
  });
  return Buffer.isBuffer(request.body) ? decodeUtf8(request.body) : '';
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    throw new UnreadableBodyError(400);
  }
}
