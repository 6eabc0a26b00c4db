import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { DomainError } from '../errors/domain-error.js';
import { createInvalidRequestError } from '../errors/request-errors.js';
import type { IdempotencyKey, Written } from './idempotent-writes.service.js';

/** Limit of the characters of a key. */
export const MAX_KEY_LENGTH = 255;

/**
 * Injects the header `Idempotency-Key` and the body that it belongs to; undefined without the
 * header.
 */
export const IdempotencyKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers, body: request } = context.switchToHttp().getRequest<Request<unknown, unknown, unknown>>();
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  assertIdempotencyKey(key);
  return { key, request } satisfies IdempotencyKey;
});

/** Returns the body of a write, and sets `Idempotency-Replayed` if it repeats a response. */
export function toReplayableBody<Body>(response: Response, { response: body, isReplay }: Written<Body>): Body {
  if (isReplay) response.setHeader('Idempotency-Replayed', 'true');
  return body;
}

/** @param name of the header or the argument @throws DomainError `invalid_request` */
export function assertIdempotencyKey(key: unknown, name?: string): asserts key is string {
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH) throw createInvalidKeyError(name);
}

/** The key is empty or too long. @param name of the header or the argument */
export function createInvalidKeyError(name = 'Idempotency-Key'): DomainError {
  const message = `${name} must have 1 to ${MAX_KEY_LENGTH} characters.`;
  return createInvalidRequestError([{ path: name, code: 'length', message }]);
}
