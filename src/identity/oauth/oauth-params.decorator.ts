import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import { type BodyFields, readFields, UnreadableBodyError } from '../../platform/http/body-reader.js';
import type { OAuthRequest } from './authenticated-client.decorator.js';
import { OAuthError, OAuthHttpError } from './oauth-error.js';

/** Injects the DTO that `readOAuthParams` created. */
export const OAuthParams = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<OAuthRequest>().appRequest!.params,
);

/**
 * Reads the parameters of an OAuth request from a JSON or form body. Each parameter is one string,
 * sent once. An empty value and `null` count as missing, except an empty `client_secret`: a public
 * client must send none. Unknown parameters are ignored (RFC 6749 §3.2).
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
  const names = getParamNames(dto);
  const params = pickParams(fields, names, dto);
  const repeated = Object.keys(fields.values).find((name) => fields.duplicates.has(name) && names.has(name));
  if (repeated !== undefined) throw createRepeatedParamError(repeated);
  const [invalid] = validateSync(params);
  if (invalid) throw new OAuthError('invalid_request', `${invalid.property} must be a string.`);
  return params;
}

const namesByDto = new Map<Type, Set<string>>();

/** Returns the names of all validated properties of a DTO, collected once. */
function getParamNames(dto: Type): Set<string> {
  let names = namesByDto.get(dto);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
    namesByDto.set(dto, (names = new Set(rules.map(({ propertyName }) => propertyName))));
  }
  return names;
}

/** Creates the DTO from the known parameters that have a value. */
function pickParams<Dto extends object>({ values }: BodyFields, names: Set<string>, dto: Type<Dto>): Dto {
  const params = new dto();
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isMissing = value === undefined || value === null || (value === '' && name !== 'client_secret');
    if (!isMissing) params[name as keyof Dto] = value as Dto[keyof Dto];
  }
  return params;
}

function createRepeatedParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} was sent more than once. Send it once.`);
}

/** Creates the error for a body that is not JSON or a form, or that is too large. */
export function createUnreadableBodyError(status: number): OAuthError {
  if (status === 413) return new OAuthHttpError(413, 'invalid_request', 'The body must be at most 64 KiB.');
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object or a form in UTF-8. Send the matching Content-Type.',
  );
}
