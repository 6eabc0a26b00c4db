import express, { type Request, type Response } from 'express';

/** The largest body that any endpoint takes. */
const LIMIT = '64kb';

/** A body that could not be read: too large (413), cut short or badly compressed (400), in an unknown encoding (415). */
export class UnreadableBody extends Error {
  constructor(readonly status: number) {
    super(`The body cannot be read (${status}).`);
  }
}

const parse = express.text({ type: () => true, limit: LIMIT });

/**
 * Reads a body as text; an empty one is ''. Bodies are read after the guards, so that who may not call is told so first,
 * whatever they sent.
 * @throws UnreadableBody
 */
export async function readText(request: Request, response: Response): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error) reject(new UnreadableBody((error as { status?: number }).status ?? 400));
      else resolve();
    });
  });
  return typeof request.body === 'string' ? request.body : '';
}
