import { Get } from '@nestjs/common';
import { CurrentSession, SignedInPage } from '../accounts/page-person.js';
import type { Session } from '../accounts/session.entity.js';
import { SearchParams } from '../http/search-params.js';
import { Public } from '../scopes/public.decorator.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { activityPage } from './activity.page.js';
import { ActivityService } from './activity.service.js';

/** What happened to a person's account. */
@SignedInPage('account/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Public('no-token')
  async list(
    @PageUi() ui: Ui,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    return activityPage(ui, await this.activity.list(accountId, query.get('cursor')));
  }
}
