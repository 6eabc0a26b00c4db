import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import { Redirect } from '../http/redirect.js';
import { encodeUrl } from '../http/request-url.js';
import { Download, type View } from './view.js';
import { createViewContext, type PageRequest, type ViewContext } from './view-context.js';
import { stringifySetCookie } from 'cookie';
import { hash } from 'node:crypto';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Layout } from './layout.js';

/** Responds with the View, Redirect or Download that a page handler returns. */
@Injectable()
export class PageResponseInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<View | Redirect | Download>): Observable<string | Buffer> {
    const http = context.switchToHttp();
    const request = http.getRequest<PageRequest>();
    const viewContext = (request.viewContext = createViewContext(request, this.settings));
    const response = http.getResponse<Response>();
    return next.handle().pipe(map((result) => renderPageResponse(response, viewContext, result)));
  }
}

/**
 * Headers of views, redirects and downloads. Browsers without `frame-ancestors` use
 * `X-Frame-Options`. With `no-referrer`, browsers would send forms without Origin, which the CSRF
 * protection needs.
 */
const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  Vary: 'Cookie, Accept-Language',
  'X-Frame-Options': 'DENY',
};

/** Sets the status and headers of a page, redirect or download. @returns the response body */
export function renderPageResponse(
  response: Response,
  viewContext: ViewContext,
  result: View | Redirect | Download,
): string | Buffer {
  response.set(PAGE_HEADERS);
  if (result instanceof Download) {
    response.status(200).type(result.contentType).attachment(result.filename);
    return result.content;
  }
  for (const cookie of result.cookies ?? []) response.append('Set-Cookie', stringifySetCookie(cookie));
  if (result instanceof Redirect) {
    response.status(303).set('Location', encodeUrl(result.location));
    return '';
  }
  response
    .status(result.status ?? 200)
    .type('html')
    .set({ 'Content-Security-Policy': buildContentSecurityPolicy(result), ...result.headers });
  const page = `<!doctype html>${render(h(Layout, { viewContext, view: result }))}`;
  if (result.isCacheable) {
    const etag = computeEntityTag(page + (result.renderedBody?.digest ?? ''));
    response.set({ 'Cache-Control': 'private, no-cache', ETag: etag });
  }
  return result.renderedBody?.insertInto(page) ?? page;
}

function computeEntityTag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 16)}"`;
}

/**
 * Returns a policy without resources of other origins. A page without `script` and `isEnhanced` can
 * run no script. Others can run script files of this origin, which can call only this origin.
 * Chromium applies `form-action` to every redirect after a form: to the app, and from the app to
 * any other address.
 */
function buildContentSecurityPolicy({ formRedirectUri, script, isEnhanced }: View): string {
  const formAction = formRedirectUri === undefined ? "'self'" : `'self' ${toFormActionSources(formRedirectUri)}`;
  const scriptRules = script === undefined && !isEnhanced ? '' : "script-src 'self'; connect-src 'self'; ";
  return `default-src 'none'; ${scriptRules}style-src 'self'; img-src 'self'; font-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/**
 * An https app can redirect to any https address, a loopback app also within the machine, a private
 * scheme nowhere.
 */
function toFormActionSources(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  if (protocol === 'https:') return isCspHostSource(origin) ? `${origin} https:` : 'https:';
  if (protocol === 'http:')
    return `${isCspHostSource(origin) ? origin : 'http:'} http://localhost:* http://127.0.0.1:* https:`;
  return protocol;
}

/** Whether a CSP source list can contain the origin. CSP 3 §2.3.1 has no IPv6 addresses. */
function isCspHostSource(origin: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin);
}
