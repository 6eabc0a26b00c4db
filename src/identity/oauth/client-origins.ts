import type { Request, Response } from 'express';
import { createClientOriginHeaders } from '../../platform/http/cors-options.js';
import type { App } from '../apps/app.entity.js';

/**
 * Returns the origins from which a public client's scripts may call the token and revocation
 * endpoints: those of its https redirect URIs, and of `http://localhost`.
 */
export function getClientOrigins({ redirectUris }: Pick<App, 'redirectUris'>): string[] {
  const urls = redirectUris.map((uri) => new URL(uri));
  return urls
    .filter(({ protocol, hostname }) => protocol === 'https:' || isLocalhost(protocol, hostname))
    .map(({ origin }) => origin);
}

/**
 * Lets a script read the response only if a public client has registered the script's origin. The
 * response to an unknown client keeps its headers.
 */
export function restrictToClientOrigins({ headers: { origin } }: Request, response: Response, app: App | null): void {
  response.vary('Origin');
  if (origin === undefined || !app) return;
  const headers = createClientOriginHeaders(origin);
  if (app.clientType === 'public' && getClientOrigins(app).includes(origin)) response.set(headers);
  else Object.keys(headers).forEach((name) => response.removeHeader(name));
}

function isLocalhost(protocol: string, hostname: string): boolean {
  return protocol === 'http:' && hostname === 'localhost';
}
