import { Get } from '@nestjs/common';
import { AuditQueryService } from '../../../platform/audit/audit.service.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';
import { AuthenticatedPageController, CurrentSession } from '../sessions/page-controller.decorator.js';
import type { Session } from '../sessions/session.entity.js';
import { renderActivityPage } from './activity.page.js';

const PAGE_SIZE = 50;

/** The page with the audit events of the person's account, the newest first. */
@AuthenticatedPageController('account/activity')
export class ActivityController {
  constructor(
    private readonly auditEvents: AuditQueryService,
    private readonly apps: AccountAppsRegistry,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    const limits = { limit: PAGE_SIZE, cursor: query.get('cursor') };
    const { data, page } = await this.auditEvents.list({ accountId }, limits);
    const apps = await Promise.all(data.map(({ appId }) => this.apps.find(appId ?? '')));
    const entries = data.map((event, index) => ({ event, appName: apps[index]?.name ?? '' }));
    return renderActivityPage(viewContext, { data: entries, page });
  }
}
