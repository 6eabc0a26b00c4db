import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { redactSecrets } from '../logging/redact-secrets.js';

/** The ids that the service accepts from a proxy. */
const REQUEST_ID = /^[\w.:@+/=-]{1,128}$/;

/** Sets `X-Request-Id` of the response: the id that a trusted proxy sent, or a new one. */
export function assignRequestId(request: Request, response: Response): void {
  response.setHeader('X-Request-Id', getForwardedId(request) ?? randomUUID());
}

/** Returns the id that `assignRequestId` set. */
export function getRequestId(response: Response): string {
  return response.getHeader('X-Request-Id') as string;
}

/** An id that looks like a secret is ignored, because ids are logged. */
function getForwardedId({ headers, app, socket }: Request): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !REQUEST_ID.test(id) || redactSecrets(id) !== id) return undefined;
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return isTrusted(socket.remoteAddress, 0) ? id : undefined;
}
