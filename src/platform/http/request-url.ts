import type { Request, Response } from 'express';

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
