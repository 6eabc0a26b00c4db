import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The query of a request, each name as often as it was sent. */
export const SearchParams = createParamDecorator((_: unknown, context: ExecutionContext) =>
  parseSearchParams(context.switchToHttp().getRequest<Request>()),
);

/** The one value of a parameter; one without a value, or sent twice, counts as missing (RFC 6749 §3.1). */
export function getSingleParam(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

export function parseSearchParams({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
