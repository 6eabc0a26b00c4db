import { Get } from '@nestjs/common';
import { AccountMailService } from '../../identity/accounts/account-mail.service.js';
import {
  AuthenticatedPageController,
  CurrentSession,
} from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { SuggestionQuotaService } from '../../map/edits/suggest/suggestion-quota.service.js';
import { RegionsService } from '../../map/regions/regions.service.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderRolePage } from './role.page.js';

/** The page on which people see what they may do on the map. */
@AuthenticatedPageController('account/role')
export class RoleController {
  constructor(
    private readonly regions: RegionsService,
    private readonly quota: SuggestionQuotaService,
    private readonly mail: AccountMailService,
  ) {}

  @Get()
  async show(@CurrentViewContext() viewContext: ViewContext, @CurrentSession() { account }: Session): Promise<View> {
    return renderRolePage(viewContext, {
      account,
      regionNames: await this.regions.findNames(account.regions),
      quota: await this.quota.read(account),
      isEmailUnconfirmed: this.mail.checkConfirmed(account) !== null,
    });
  }
}
