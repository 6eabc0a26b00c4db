import { Get } from '@nestjs/common';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { AuthenticatedPageController } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { renderActivityPage } from './activity.page.js';
import { ActivityService } from './activity.service.js';

/** The page with the audit events of the person's account. */
@AuthenticatedPageController('account/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Public('no-token')
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    return renderActivityPage(viewContext, await this.activity.list(accountId, query.get('cursor')));
  }
}
