import type { Request, Response } from 'express';

/** The address that a request was sent to, under the one that the service is known by. */
export function buildRequestUrl(baseUrl: string, { originalUrl }: Request): URL {
  const [path, ...query] = originalUrl.split('?');
  const url = new URL(baseUrl);
  url.pathname = path!;
  url.search = query.join('?');
  return url;
}

/** The address of the page that follows, with the same filters. */
export function buildNextPageUrl(baseUrl: string, request: Request, cursor: string): string {
  const url = buildRequestUrl(baseUrl, request);
  url.searchParams.set('cursor', cursor);
  return url.href;
}

/** Says where to find what a request to a list has made. */
export function setLocationHeader(response: Response, id: string): void {
  response.location(`${response.req.path.replace(/\/$/, '')}/${id}`);
}
