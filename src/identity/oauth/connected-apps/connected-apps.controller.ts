import { Body, Get, Post } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AvailableWhenBlocked } from '../../accounts/sessions/blocked-account.interceptor.js';
import { AuthenticatedPageController, CurrentSession } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { renderConnectedAppsPage } from './connected-apps.page.js';
import { ConnectedAppsService } from './connected-apps.service.js';

/** The page of the apps that can act for the person. */
@AuthenticatedPageController('account/apps')
@AvailableWhenBlocked()
export class ConnectedAppsController {
  constructor(
    private readonly connectedApps: ConnectedAppsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    return renderConnectedAppsPage(viewContext, {
      account,
      apps: await this.connectedApps.list(account.id),
      removal: await this.connectedApps.findRemoval(account.id, query.get('removed') ?? ''),
      accessTokenLifetimeMinutes: Math.ceil(this.settings.ACCESS_TOKEN_LIFETIME / 60),
    });
  }

  @Post()
  async remove(
    @CurrentViewContext() { basePath }: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<Redirect> {
    const removed = await this.connectedApps.remove(accountId, form.get('what') ?? '');
    return new Redirect(`${basePath}/account/apps${removed ? `?removed=${removed}` : ''}`);
  }
}
