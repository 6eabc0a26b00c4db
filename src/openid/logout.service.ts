import { Injectable } from '@nestjs/common';
import type { Session } from '../accounts/session.entity.js';
import { SignOutService } from '../accounts/sign-out.service.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { single } from '../http/search-params.js';
import type { SeeOther } from '../http/see-other.js';
import { PageError } from '../views/page-error.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { type Hint, IdTokens } from './id-tokens.js';

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0 §2, §3). */
@Injectable()
export class LogoutService {
  constructor(
    private readonly apps: AppsService,
    private readonly idTokens: IdTokens,
    private readonly signOut: SignOutService,
  ) {}

  /** With the id token of whoever is signed in they are signed out at once; whoever else is asked. */
  async begin(ui: Ui, params: URLSearchParams, session: Session | null): Promise<View | SeeOther> {
    const hint = await this.idTokens.readHint(single(params, 'id_token_hint') ?? '');
    const app = await this.appOf(params, hint);
    const onward = onwardOf(params, app);
    if (!session || hint?.accountId === session.accountId) return this.signOut.end(ui, session, onward);
    return this.signOut.ask(ui, app ? { app: app.name, onward } : undefined);
  }

  /** The app that asks: by the id token it was given, or by its name alone; the two must not differ. */
  private async appOf(params: URLSearchParams, hint: Hint | undefined): Promise<App | null> {
    const clientId = single(params, 'client_id') ?? hint?.appId;
    if (clientId === undefined) return null;
    const app = await this.apps.find(clientId);
    if (!app || app.disabledAt || (hint && hint.appId !== clientId)) throw new PageError(400, 'unknownApp');
    return app;
  }
}

/** Where the person is sent afterwards: nowhere but to what the app registered for it, character by character. */
function onwardOf(params: URLSearchParams, app: App | null): string | undefined {
  const asked = single(params, 'post_logout_redirect_uri');
  if (asked === undefined) return undefined;
  if (!app?.postLogoutRedirectUris.includes(asked)) throw new PageError(400, 'logoutAddress', 'logoutAddressHelp');
  const state = single(params, 'state');
  if (state === undefined) return asked;
  return `${asked}${asked.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
