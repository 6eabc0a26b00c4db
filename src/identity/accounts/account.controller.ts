import { Get } from '@nestjs/common';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { AccountMailService } from './account-mail.service.js';
import { AvailableWhenBlocked } from './sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession } from './sessions/page-controller.decorator.js';
import type { Session } from './sessions/session.entity.js';
import { isBlocked } from './account.entity.js';
import { renderAccountPage } from './account.page.js';
import { renderBlockedAccountPage } from './blocked.page.js';

/** The first page of a person's account. */
@AuthenticatedPageController('account')
@AvailableWhenBlocked()
export class AccountController {
  constructor(private readonly mail: AccountMailService) {}

  @Get()
  show(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() { account }: Session): View {
    if (isBlocked(account)) return renderBlockedAccountPage(viewContext, account, 200);
    return renderAccountPage(viewContext, account, this.mail.isAvailable);
  }
}
