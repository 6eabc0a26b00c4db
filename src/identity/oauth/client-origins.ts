import type { Request, Response } from 'express';
import { createClientOriginHeaders } from '../../platform/http/cors-options.js';
import type { App } from '../clients/app.entity.js';

/**
 * Returns the origins from which a public client's scripts may call the token and revocation
 * endpoints: those of its https redirect URIs, and of `http://localhost`.
 */
export function getClientOrigins({ redirectUris }: Pick<App, 'redirectUris'>): string[] {
  return redirectUris.filter((uri) => /^(https:|http:\/\/localhost[:/])/.test(uri)).map((uri) => new URL(uri).origin);
}

/** Lets a script read the response if a public client has registered the script's origin. */
export function allowClientOrigin({ headers: { origin } }: Request, response: Response, app: App | null): void {
  response.vary('Origin');
  if (app?.clientType !== 'public' || origin === undefined || !getClientOrigins(app).includes(origin)) return;
  response.set(createClientOriginHeaders(origin));
}
