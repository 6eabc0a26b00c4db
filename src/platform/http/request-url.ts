import type { Request, Response } from 'express';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Returns the URL of a request, below `BASE_URL`. */
export function buildRequestUrl(baseUrl: string, { originalUrl }: Request): URL {
  const [path, ...query] = originalUrl.split('?');
  const url = new URL(baseUrl);
  url.pathname = path!;
  url.search = query.join('?');
  return url;
}

/** Returns the URL of the next page, with the same filters. */
export function buildNextPageUrl(baseUrl: string, request: Request, cursor: string): string {
  const url = buildRequestUrl(baseUrl, request);
  url.searchParams.set('cursor', cursor);
  return url.href;
}

/** Sets `Location` to the URL of a resource that a POST to its collection created. */
export function setLocationHeader(response: Response, id: string): void {
  response.location(`${response.req.path.replace(/\/$/, '')}/${id}`);
}

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
