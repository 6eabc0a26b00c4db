import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Redirect, redirectFormToQuery } from '../../platform/http/redirect.js';
import { getSingleParam, SearchParams } from '../../platform/http/request-url.js';
import { PageError } from '../../platform/views/error-pages.js';
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
import { type IdTokenHint, IdTokensService, toAuthTimeClaim } from './id-tokens.service.js';

/** The logout endpoint (OpenID Connect RP-Initiated Logout 1.0 §2, §3). */
@PageController('api/oauth/logout', RawFormInterceptor)
export class LogoutController {
  constructor(
    private readonly apps: AppsStore,
    private readonly idTokens: IdTokensService,
    private readonly sessions: SessionsService,
    private readonly redirects: SignOutRedirectsService,
    private readonly failedCalls: FailedCallsService,
    private readonly accountApps: AccountAppsRegistry,
  ) {}

  /**
   * Signs the person out if the `id_token_hint` was issued in this session, otherwise asks for
   * confirmation: an old or foreign ID token, which may have leaked, does not end a session.
   * Without a session, there is no redirect to an app that no person ever allowed.
   * @throws PageError 400 if the app is unknown or the redirect URI is not registered
   */
  @Get()
  async handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const hint = await this.idTokens.verifyHint(getSingleParam(params, 'id_token_hint') ?? '');
    const app = await this.resolveApp(params, hint);
    const redirectUri = this.resolvePostLogoutRedirectUri(params, app);
    if (!session && app && redirectUri !== undefined && !(await this.accountApps.wasEverAllowed(app.id))) {
      return renderLeavingPage(viewContext, app, redirectUri);
    }
    if (!session || (hint && isFromSession(hint, session))) {
      return toSignedOutResponse(viewContext, await this.sessions.end(session), redirectUri);
    }
    const encryptedRedirectUri = redirectUri === undefined ? undefined : this.redirects.encrypt(redirectUri);
    return renderSignOutPage(viewContext, app ? { appName: app.name, redirectUri } : undefined, encryptedRedirectUri);
  }

  /** Accepts the request as a form (§2). */
  @Post()
  redirectPostToGet(@Req() request: Request, @Body() form: string): Redirect {
    return redirectFormToQuery(request, form);
  }

  /**
   * Returns the app of the `client_id` or the `id_token_hint`, which must not differ.
   * @throws PageError 400
   */
  private async resolveApp(params: URLSearchParams, hint: IdTokenHint | undefined): Promise<App | null> {
    const clientId = getSingleParam(params, 'client_id') ?? hint?.appId;
    if (clientId === undefined) return null;
    const app = await this.apps.find(clientId);
    if (!app || app.disabledAt || (hint && hint.appId !== clientId)) throw new PageError(400, 'unknownApp');
    return app;
  }

  /**
   * Returns the `post_logout_redirect_uri`, which must be registered exactly, with the `state`.
   * @throws PageError 400
   */
  private resolvePostLogoutRedirectUri(params: URLSearchParams, app: App | null): string | undefined {
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
      throw new PageError(400, 'invalidPostLogoutRedirectUri', 'invalidPostLogoutRedirectUriHelp');
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
