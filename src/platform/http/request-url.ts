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

/**
 * Percent-encodes the characters that a URL cannot contain, and no others: an encoding that this
 * service repeats is never longer than it was received.
 */
export function encodeUrl(url: string): string {
  return url.replace(/[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g, encodeURIComponent);
}

/**
 * Maximum length of a query of this service's pages, so that it fits into the headers of all
 * proxies.
 */
export const MAX_QUERY_LENGTH = 5000;

/** Whether a query, in the encoding in which it was received, is too long. */
export function isTooLongQuery(query: string): boolean {
  return query.length > MAX_QUERY_LENGTH;
}

/** Returns a query or a form, in the encoding in which it was sent, as the query of a URL. */
export function encodeQuery(query: string): string {
  return encodeUrl(query.replace(/^\?+/, '').replaceAll('#', '%23'));
}

/** Returns the query of a request without its `?`, in the encoding in which it was sent. */
function getRawQuery({ originalUrl }: Request): string {
  return encodeQuery(originalUrl.replace(/^[^?]*/, ''));
}

/** Injects the query of a request without its `?`, in the encoding in which it was sent. */
export const RawQuery = createParamDecorator((_: unknown, context: ExecutionContext) =>
  getRawQuery(context.switchToHttp().getRequest<Request>()),
);

/** Returns a query without a parameter, and the others in the encoding in which they were sent. */
export function removeParam(query: string, name: string): string {
  const isOther = (param: string): boolean => !isParam(param, name);
  return query.split('&').filter(isOther).join('&');
}

/** Returns the first parameter of a name with its value, in the encoding in which it was sent. */
export function findRawParam(query: string, name: string): string | undefined {
  return query.split('&').find((param) => isParam(param, name));
}

function isParam(param: string, name: string): boolean {
  return new URLSearchParams(`&${param}`).has(name);
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
export function parseSearchParams(request: Request): URLSearchParams {
  return new URLSearchParams(getRawQuery(request));
}
