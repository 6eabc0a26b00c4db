import { stringifySetCookie } from 'cookie';
import type { Response } from 'express';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Redirect } from '../http/redirect.js';
import { Layout } from './layout.js';
import type { ViewContext } from './view-context.js';
import type { View } from './view.js';

/** Sets the status and headers of an answer to a person. @returns its body */
export function renderPageResponse(response: Response, ui: ViewContext, result: View | Redirect): string {
  response.set({ 'Cache-Control': 'no-store', Vary: 'Cookie, Accept-Language' });
  for (const cookie of result.cookies ?? []) response.append('Set-Cookie', stringifySetCookie(cookie));
  if (result instanceof Redirect) {
    response.status(303).location(result.location);
    return '';
  }
  response
    .status(result.status ?? 200)
    .type('html')
    .set({ 'Content-Security-Policy': buildContentSecurityPolicy(result.formRedirectUri), ...result.headers });
  return `<!doctype html>${render(h(Layout, { ui, view: result }))}`;
}

/**
 * Nothing runs on our pages and nothing comes from elsewhere. Chromium holds `form-action` against every address that a
 * form leads on to: the app's, and where that sends the person in turn, which is not ours to know.
 */
function buildContentSecurityPolicy(leadsTo: string | undefined): string {
  const formAction = leadsTo === undefined ? "'self'" : `'self' ${toFormActionSources(leadsTo)}`;
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/** An app on this machine may lead on within it; every other may lead on by https, and one with a scheme of its own nowhere. */
function toFormActionSources(address: string): string {
  const { protocol, origin } = new URL(address);
  if (protocol === 'https:') return isCspHostSource(origin) ? `${origin} https:` : 'https:';
  if (protocol === 'http:')
    return `${isCspHostSource(origin) ? origin : 'http:'} http://localhost:* http://127.0.0.1:* https:`;
  return protocol;
}

/** CSP 3 §2.3.1 knows no IPv6 addresses, for one. */
function isCspHostSource(origin: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin);
}
