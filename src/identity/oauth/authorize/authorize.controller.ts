import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Redirect, redirectFormToQuery } from '../../../platform/http/redirect.js';
import { encodeQuery, isTooLongQuery, RawQuery, removeParam } from '../../../platform/http/request-url.js';
import type { ErrorPageTexts } from '../../../platform/views/error-pages.js';
import { RawFormInterceptor } from '../../../platform/views/html-controller.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { type AppResponse, renderFormPostPage } from '../../apps/app-response.js';
import { renderLeavingPage } from '../../apps/leaving.page.js';
import { IdTokenHintsService } from '../../openid/id-token-hints.service.js';
import type { AuthorizationError } from './authorization-error.js';
import type { RedirectTarget } from './authorization-request.js';
import { type AuthorizeResult, AuthorizeService } from './authorize.service.js';
import { renderBlockedPage, renderConsentPage } from './consent.page.js';

/** The error pages of the authorization endpoint and of the consent form. */
export const AUTHORIZE_ERROR_PAGES: Record<string, ErrorPageTexts> = {
  unknown_app: { messageKey: 'unknownApp', helpKey: 'unknownAppHelp' },
  client_metadata_rejected: { messageKey: 'clientMetadata', helpKey: 'clientMetadataHelp' },
  invalid_redirect_uri: { messageKey: 'invalidRedirectUri', helpKey: 'invalidRedirectUriHelp' },
  consent_form_expired: { messageKey: 'formExpired', helpKey: 'formExpiredHelp' },
  consent_form_sent_too_often: { messageKey: 'formSentTooOften', helpKey: 'formExpiredHelp' },
};

/** The authorization endpoint (RFC 6749 §3.1). */
@PageController('api/oauth/authorize', RawFormInterceptor)
export class AuthorizeController {
  constructor(
    private readonly authorizeService: AuthorizeService,
    private readonly hints: IdTokenHintsService,
  ) {}

  @Get()
  async handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @RawQuery() receivedQuery: string,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const query = await this.hints.hide(removeParam(receivedQuery, 'again'));
    viewContext.returnTo = buildAuthorizePath(viewContext, query);
    return respond(viewContext, await this.authorizeService.authorize(query, session));
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
    const query = await this.hints.hide(encodeQuery(form));
    if (!isTooLongQuery(query)) return redirectFormToQuery(request, query);
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
      return sendResponse(viewContext, buildResponse(viewContext, result.target, { code: result.code }));
    case 'error':
      return sendResponse(viewContext, buildErrorResponse(viewContext, result.target, result.error));
    case 'leaving':
      return renderLeavingPage(
        viewContext,
        result.target.app,
        buildErrorResponse(viewContext, result.target, result.error),
      );
    case 'restart':
      return new Redirect(buildAuthorizePath(viewContext, result.query));
    case 'sign-in':
      return redirectToSignIn(viewContext, result.query, result.isSignedIn);
    case 'blocked':
      return renderBlockedPage(viewContext, {
        account: result.account,
        appName: result.target.app.name,
        errorResponse: buildErrorResponse(viewContext, result.target, result.error),
        authorizationQuery: result.query,
      });
    case 'consent':
      return renderConsentPage(viewContext, result);
  }
}

function sendResponse(viewContext: ViewContext, response: AppResponse): View | Redirect {
  return response.fields ? renderFormPostPage(viewContext, response) : new Redirect(response.url);
}

/** Builds the response with an error (RFC 6749 §4.1.2.1). */
function buildErrorResponse(viewContext: ViewContext, target: RedirectTarget, error: AuthorizationError): AppResponse {
  return buildResponse(viewContext, target, { error: error.code, error_description: error.description });
}

/**
 * Builds the response with the parameters, the issuer and the state (RFC 6749 §4.1.2, RFC 9207).
 * The redirect URI keeps its own query (RFC 6749 §3.1.2).
 */
function buildResponse(
  { baseUrl }: ViewContext,
  { redirectUri, rawState, responseMode }: RedirectTarget,
  params: Record<string, string>,
): AppResponse {
  const issued = { ...params, iss: baseUrl };
  if (responseMode === 'form_post') {
    return { url: redirectUri, fields: { ...issued, ...Object.fromEntries(new URLSearchParams(rawState)) } };
  }
  const query = new URLSearchParams(issued).toString();
  const separator = redirectUri.includes('?') ? '&' : '?';
  return { url: redirectUri + separator + (rawState === undefined ? query : `${query}&${rawState}`) };
}

/** Redirects to the sign-in page, whose query is the request of the app. */
function redirectToSignIn({ basePath }: ViewContext, query: string, isSignedIn: boolean): Redirect {
  return new Redirect(`${basePath}/sign-in?${query}${isSignedIn ? '&again=yes' : ''}`);
}

function buildAuthorizePath({ basePath }: ViewContext, query: string): string {
  return `${basePath}/api/oauth/authorize?${query}`;
}
