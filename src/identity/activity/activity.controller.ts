import { Get } from '@nestjs/common';
import { CurrentSession, AuthenticatedPageController } from '../accounts/session.guard.js';
import type { Session } from '../accounts/session.entity.js';
import { SearchParams } from '../../platform/http/search-params.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderActivityPage } from './activity.page.js';
import { ActivityService } from './activity.service.js';

/** What happened to a person's account. */
@AuthenticatedPageController('account/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Public('no-token')
  async list(
    @CurrentViewContext() ui: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    return renderActivityPage(ui, await this.activity.list(accountId, query.get('cursor')));
  }
}
