import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Redirect, redirectFormToQuery } from '../../platform/http/redirect.js';
import { encodeQuery, getSingleParam, isTooLongQuery, RawQuery } from '../../platform/http/request-url.js';
import { RawFormInterceptor } from '../../platform/views/html-controller.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { AccountAppsRegistry } from '../accounts/account-apps.registry.js';
import { CurrentSession, PageController } from '../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../accounts/sessions/session.entity.js';
import { SessionsService } from '../accounts/sessions/sessions.service.js';
import { SignOutRedirectsService } from '../accounts/sessions/sign-out-redirects.service.js';
import { renderSignOutPage, toSignedOutResponse } from '../accounts/sessions/sign-out.page.js';
import type { App } from '../apps/app.entity.js';
import { AppsStore } from '../apps/apps.store.js';
import { FailedCallsService } from '../apps/failed-calls/failed-calls.service.js';
import { renderLeavingPage } from '../apps/leaving.page.js';
import { type IdTokenHint, IdTokenHintsService } from './id-token-hints.service.js';
import { toAuthTimeClaim } from './id-tokens.service.js';

/** The logout endpoint (OpenID Connect RP-Initiated Logout 1.0 §2, §3). */
@PageController('api/oauth/logout', RawFormInterceptor)
export class LogoutController {
  constructor(
    private readonly apps: AppsStore,
    private readonly hints: IdTokenHintsService,
    private readonly sessions: SessionsService,
    private readonly redirects: SignOutRedirectsService,
    private readonly failedCalls: FailedCallsService,
    private readonly accountApps: AccountAppsRegistry,
  ) {}

  /**
   * Signs the person out if the `id_token_hint` was issued in this session, otherwise asks for
   * confirmation: an old or foreign ID token, which may have leaked, does not end a session. A
   * wrong `client_id` or `post_logout_redirect_uri` leads to the question too, without a redirect
   * to the app (§4). Without a session, there is no redirect to an app that no person ever allowed.
   */
  @Get()
  async handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @RawQuery() receivedQuery: string,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const query = await this.hints.hide(receivedQuery);
    viewContext.returnTo = `${viewContext.basePath}${viewContext.path}?${query}`;
    const params = new URLSearchParams(query);
    const hint = await this.hints.verify(getSingleParam(params, 'id_token_hint') ?? '');
    const app = await this.findApp(params, hint);
    const redirectUri = this.findPostLogoutRedirectUri(params, app);
    if (!session && app && redirectUri !== undefined && !(await this.accountApps.wasEverAllowed(app.id))) {
      return renderLeavingPage(viewContext, app, { url: redirectUri });
    }
    const isComplete = redirectUri !== undefined || !params.get('post_logout_redirect_uri');
    if (!session || (hint && app && isComplete && isFromSession(hint, session))) {
      return toSignedOutResponse(viewContext, await this.sessions.end(session), redirectUri);
    }
    const encryptedRedirectUri = redirectUri === undefined ? undefined : this.redirects.encrypt(redirectUri);
    return renderSignOutPage(viewContext, app ? { appName: app.name, redirectUri } : undefined, encryptedRedirectUri);
  }

  /** Accepts the request as a form (§2). A form that is too long for an address only asks. */
  @Post()
  async redirectPostToGet(@Req() request: Request, @Body() form: string): Promise<Redirect> {
    const query = await this.hints.hide(encodeQuery(form));
    return isTooLongQuery(query) ? new Redirect(request.path) : redirectFormToQuery(request, query);
  }

  /** Returns the app of the `client_id` or the `id_token_hint`; null if they differ. */
  private async findApp(params: URLSearchParams, hint: IdTokenHint | undefined): Promise<App | null> {
    const clientId = getSingleParam(params, 'client_id') ?? hint?.appId;
    if (clientId === undefined || (hint && hint.appId !== clientId)) return null;
    const app = await this.apps.find(clientId);
    return app?.disabledAt ? null : app;
  }

  /**
   * Returns the `post_logout_redirect_uri`, with the `state`; undefined if it is not exactly one
   * that the app registered.
   */
  private findPostLogoutRedirectUri(params: URLSearchParams, app: App | null): string | undefined {
    const redirectUri = getSingleParam(params, 'post_logout_redirect_uri');
    if (redirectUri === undefined) return undefined;
    if (!app?.postLogoutRedirectUris.includes(redirectUri)) {
      this.failedCalls.record(app?.id, {
        endpoint: 'GET /api/oauth/logout',
        errorCode: 'invalid_post_logout_redirect_uri',
        reason: 'post_logout_redirect_uri is not registered. Register it exactly as the app sends it.',
        accepted: { source: 'registered', values: app?.postLogoutRedirectUris ?? [] },
        sent: redirectUri,
      });
      return undefined;
    }
    const state = getSingleParam(params, 'state');
    if (state === undefined) return redirectUri;
    return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
  }
}

/** Whether an ID token was issued in a session. */
function isFromSession(hint: IdTokenHint, session: Session): boolean {
  return hint.accountId === session.accountId && hint.authTime === toAuthTimeClaim(session.authTime);
}
