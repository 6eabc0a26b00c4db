import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Injects the query of a request as URLSearchParams, with repeated parameters. */
export const SearchParams = createParamDecorator((_: unknown, context: ExecutionContext) =>
  parseSearchParams(context.switchToHttp().getRequest<Request>()),
);

/** Returns the value of a parameter. An empty or repeated one counts as missing (RFC 6749 §3.1). */
export function getSingleParam(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/** Parses the query of a request, with repeated parameters. */
export function parseSearchParams({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
