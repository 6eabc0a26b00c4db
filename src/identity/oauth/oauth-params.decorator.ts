import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type BodyFields, readFields, UnreadableBodyError } from '../../platform/http/body-reader.js';
import type { ClientRequest } from './authenticated-client.decorator.js';
import { getDtoRules, isValidProperty } from './dto-rules.js';
import { OAuthError } from './oauth-error.js';

/** Injects the DTO that `readOAuthParams` created. */
export const OAuthParams = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ClientRequest>().clientCall!.params,
);

/**
 * Reads the parameters of an OAuth request from a JSON or form body. Each parameter is one string,
 * sent once. An empty value and `null` count as missing. Unknown parameters are ignored (RFC 6749
 * §3.2).
 * @throws OAuthError invalid_request
 */
export async function readOAuthParams<Dto extends object>(
  request: Request,
  response: Response,
  dto: Type<Dto>,
): Promise<Dto> {
  const fields = await readFields(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? createUnreadableBodyError(error.status) : error;
  });
  const params = new dto();
  const invalid = new Set<string>();
  for (const rules of getDtoRules(dto)) {
    const value = getValue(fields, rules.name);
    if (value !== undefined) params[rules.name as keyof Dto] = value as Dto[keyof Dto];
    const isInvalid = value !== undefined && !isValidProperty(rules, params, value);
    if (isInvalid || fields.duplicates.has(rules.name)) invalid.add(rules.name);
  }
  if (invalid.size > 0) throw createRepeatedParamError(Object.keys(fields.values).find((name) => invalid.has(name))!);
  return params;
}

/** The value of a parameter; undefined if it is missing. */
function getValue({ values }: BodyFields, name: string): unknown {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === '' || value === null ? undefined : value;
}

function createRepeatedParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `The field ${name} must be one string, sent once.`);
}

/** Creates the error for a body that is not JSON or a form, or that is too large. */
export function createUnreadableBodyError(status: number): OAuthError {
  if (status === 413) return new OAuthError('invalid_request', 'The body is larger than 64 KiB.', 413);
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object, or a form, in UTF-8, with its Content-Type.',
  );
}
