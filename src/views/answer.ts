import { stringifySetCookie } from 'cookie';
import type { Response } from 'express';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { SeeOther } from '../http/see-other.js';
import { Layout } from './layout.js';
import type { Ui } from './ui.js';
import type { View } from './view.js';

/** Sets the status and headers of an answer to a person. @returns its body */
export function answer(response: Response, ui: Ui, result: View | SeeOther): string {
  response.set({ 'Cache-Control': 'no-store', Vary: 'Cookie, Accept-Language' });
  for (const cookie of result.cookies ?? []) response.append('Set-Cookie', stringifySetCookie(cookie));
  if (result instanceof SeeOther) {
    response.status(303).location(result.location);
    return '';
  }
  response
    .status(result.status ?? 200)
    .type('html')
    .set({ 'Content-Security-Policy': contentSecurityPolicy(result.leadsTo), ...result.headers });
  return `<!doctype html>${render(h(Layout, { ui, view: result }))}`;
}

/**
 * Nothing runs on our pages and nothing comes from elsewhere. Chromium holds `form-action` against every address that a
 * form leads on to, so where the answer to a form sends the person to an app, that address is named.
 */
function contentSecurityPolicy(leadsTo: string | undefined): string {
  const formAction = leadsTo === undefined ? "'self'" : `'self' ${sourceOf(leadsTo)}`;
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/** An origin, or a scheme where there is none that could be named: CSP 3 §2.3.1 knows no IPv6 addresses, for one. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin) ? origin : protocol;
}
