import type { Request } from 'express';

/** The address of the page that follows, with the same filters. */
export function nextAddress(baseUrl: string, { originalUrl }: Request, cursor: string): string {
  const url = new URL(originalUrl, baseUrl);
  url.searchParams.set('cursor', cursor);
  return url.href;
}
