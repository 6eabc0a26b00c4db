import { Injectable } from '@nestjs/common';
import type { Session } from '../accounts/session.entity.js';
import { SignOutService } from '../accounts/sign-out.service.js';
import type { App } from '../clients/app.entity.js';
import { AppsStore } from '../clients/apps.store.js';
import { getSingleParam } from '../../platform/http/search-params.decorator.js';
import type { Redirect } from '../../platform/http/redirect.js';
import { PageError } from '../../platform/views/page-error.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { type IdTokenHint, IdTokensService } from './id-tokens.service.js';

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0 §2, §3). */
@Injectable()
export class LogoutService {
  constructor(
    private readonly apps: AppsStore,
    private readonly idTokens: IdTokensService,
    private readonly signOutService: SignOutService,
  ) {}

  /** With the id token of whoever is signed in they are signed out at once; whoever else is asked. */
  async logOut(ui: ViewContext, params: URLSearchParams, session: Session | null): Promise<View | Redirect> {
    const hint = await this.idTokens.verifyHint(getSingleParam(params, 'id_token_hint') ?? '');
    const app = await this.resolveApp(params, hint);
    const onward = resolvePostLogoutRedirectUri(params, app);
    if (!session || hint?.accountId === session.accountId) return this.signOutService.signOut(ui, session, onward);
    return this.signOutService.renderConfirmation(ui, app ? { appName: app.name, redirectUri: onward } : undefined);
  }

  /** The app that asks: by the id token it was given, or by its name alone; the two must not differ. */
  private async resolveApp(params: URLSearchParams, hint: IdTokenHint | undefined): Promise<App | null> {
    const clientId = getSingleParam(params, 'client_id') ?? hint?.appId;
    if (clientId === undefined) return null;
    const app = await this.apps.find(clientId);
    if (!app || app.disabledAt || (hint && hint.appId !== clientId)) throw new PageError(400, 'unknownApp');
    return app;
  }
}

/** Where the person is sent afterwards: nowhere but to what the app registered for it, character by character. */
function resolvePostLogoutRedirectUri(params: URLSearchParams, app: App | null): string | undefined {
  const asked = getSingleParam(params, 'post_logout_redirect_uri');
  if (asked === undefined) return undefined;
  if (!app?.postLogoutRedirectUris.includes(asked))
    throw new PageError(400, 'invalidPostLogoutRedirectUri', 'invalidPostLogoutRedirectUriHelp');
  const state = getSingleParam(params, 'state');
  if (state === undefined) return asked;
  return `${asked}${asked.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
