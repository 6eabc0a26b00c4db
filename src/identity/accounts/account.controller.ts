import { Get } from '@nestjs/common';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { AccountAppsRegistry } from './account-apps.registry.js';
import { AccountMailService } from './account-mail.service.js';
import { PasskeysStore } from './passkeys/passkeys.store.js';
import { renderSafetyPage } from './password/safety.page.js';
import { AvailableWhenBlocked } from './sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession } from './sessions/page-controller.decorator.js';
import type { Session } from './sessions/session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';
import { isBlocked } from './account.entity.js';
import { renderAccountPage } from './account.page.js';
import { renderBlockedAccountPage } from './blocked.page.js';

/** The first page of a person's account. */
@AuthenticatedPageController('account')
@AvailableWhenBlocked()
export class AccountController {
  constructor(
    private readonly mail: AccountMailService,
    private readonly apps: AccountAppsRegistry,
    private readonly passkeys: PasskeysStore,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  async show(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() { account }: Session): Promise<View> {
    if (isBlocked(account)) return renderBlockedAccountPage(viewContext, account, 200);
    const { id } = account;
    return renderAccountPage(viewContext, {
      account,
      passkeyCount: (await this.passkeys.list(id)).length,
      sessionCount: (await this.sessions.list(id)).length,
      connectedAppCount: (await this.apps.listConnectedNames(id)).length,
      canSendLink: this.mail.isAvailable,
    });
  }

  /** Shows everything with which another person could enter the account, after a password reset. */
  @Get('safety')
  async showSafety(
    @CurrentViewContext() viewContext: ViewContext,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    if (isBlocked(account)) return renderBlockedAccountPage(viewContext, account);
    const { id } = account;
    return renderSafetyPage(viewContext, {
      appNames: await this.apps.listConnectedNames(id),
      passkeyNames: (await this.passkeys.list(id)).map(({ name }) => name),
      sessions: await this.sessions.list(id),
    });
  }
}
