import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Redirect, redirectFormToQuery } from '../../../platform/http/redirect.js';
import { encodeQuery, RawQuery, removeParam } from '../../../platform/http/request-url.js';
import type { ErrorPageTexts } from '../../../platform/views/error-pages.js';
import { RawFormInterceptor } from '../../../platform/views/html-controller.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { renderLeavingPage } from '../../apps/leaving.page.js';
import type { AuthorizationError } from './authorization-error.js';
import type { RedirectTarget } from './authorization-request.js';
import { isTooLong } from './authorization-request-parser.service.js';
import { type AuthorizeResult, AuthorizeService } from './authorize.service.js';
import { renderBlockedPage, renderConsentPage } from './consent.page.js';

/** The error pages of the authorization endpoint and of the consent form. */
export const AUTHORIZE_ERROR_PAGES: Record<string, ErrorPageTexts> = {
  unknown_app: { messageKey: 'unknownApp', helpKey: 'unknownAppHelp' },
  invalid_redirect_uri: { messageKey: 'invalidRedirectUri', helpKey: 'invalidRedirectUriHelp' },
  consent_form_expired: { messageKey: 'formExpired', helpKey: 'formExpiredHelp' },
  consent_form_sent_too_often: { messageKey: 'formSentTooOften', helpKey: 'formExpiredHelp' },
};

/** The authorization endpoint (RFC 6749 §3.1). */
@PageController('api/oauth/authorize', RawFormInterceptor)
export class AuthorizeController {
  constructor(private readonly authorizeService: AuthorizeService) {}

  @Get()
  async handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @RawQuery() query: string,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return respond(viewContext, await this.authorizeService.authorize(removeParam(query, 'again'), session));
  }

  /**
   * Accepts the request as a form (OpenID Connect Core §3.1.2.1). No redirect contains a form that
   * is too long.
   */
  @Post()
  async handlePost(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @Body() form: string,
  ): Promise<View | Redirect> {
    const query = encodeQuery(form);
    if (!isTooLong(query)) return redirectFormToQuery(request, form);
    return respond(viewContext, await this.authorizeService.authorize(query, null));
  }
}

/** Takes the form of the consent page, which the authorization endpoint renders. */
@PageController('consent')
export class ConsentController {
  constructor(private readonly authorizeService: AuthorizeService) {}

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return respond(viewContext, await this.authorizeService.submitConsent(form, session));
  }
}

function respond(viewContext: ViewContext, result: AuthorizeResult): View | Redirect {
  switch (result.type) {
    case 'code':
      return redirectToApp(viewContext, result.target, { code: result.code });
    case 'error':
      return redirectWithError(viewContext, result.target, result.error);
    case 'leaving':
      return renderLeavingPage(
        viewContext,
        result.target.app,
        redirectWithError(viewContext, result.target, result.error).location,
      );
    case 'restart':
      return new Redirect(buildAuthorizePath(viewContext, result.query));
    case 'sign-in':
      return redirectToSignIn(viewContext, result.query, result.isSignedIn);
    case 'blocked':
      return renderBlockedPage(viewContext, {
        account: result.account,
        appName: result.target.app.name,
        errorRedirectUrl: redirectWithError(viewContext, result.target, result.error).location,
        authorizationQuery: result.query,
      });
    case 'consent':
      return renderConsentPage(viewContext, result);
  }
}

/** Redirects to the app with an error (RFC 6749 §4.1.2.1). */
function redirectWithError(viewContext: ViewContext, target: RedirectTarget, error: AuthorizationError): Redirect {
  return redirectToApp(viewContext, target, { error: error.code, error_description: error.description });
}

/**
 * Redirects to the app with the parameters and the issuer (RFC 6749 §4.1.2, RFC 9207). The redirect
 * URI keeps its own query (RFC 6749 §3.1.2).
 */
function redirectToApp(
  { baseUrl }: ViewContext,
  { redirectUri, rawState }: RedirectTarget,
  params: Record<string, string>,
): Redirect {
  const query = new URLSearchParams({ ...params, iss: baseUrl }).toString();
  const separator = redirectUri.includes('?') ? '&' : '?';
  return new Redirect(redirectUri + separator + (rawState === undefined ? query : `${query}&${rawState}`));
}

/** Redirects to the sign-in page, whose query is the request of the app. */
function redirectToSignIn({ basePath }: ViewContext, query: string, isSignedIn: boolean): Redirect {
  return new Redirect(`${basePath}/sign-in?${query}${isSignedIn ? '&again=yes' : ''}`);
}

function buildAuthorizePath({ basePath }: ViewContext, query: string): string {
  return `${basePath}/api/oauth/authorize?${query}`;
}
