import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, AuthenticatedPageController } from '../../accounts/session.guard.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { SearchParams } from '../../../platform/http/search-params.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { renderConnectedAppsPage } from './connected-apps.page.js';
import { ConnectedAppsService } from './connected-apps.service.js';

/** The apps that may act for a person. */
@AuthenticatedPageController('account/apps')
export class ConnectedAppsController {
  constructor(
    private readonly connectedApps: ConnectedAppsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  async list(
    @CurrentViewContext() ui: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const removed = await this.connectedApps.findRemovedApp(account.id, query.get('removed') ?? '');
    const minutes = Math.ceil(this.settings.ACCESS_TOKEN_LIFETIME / 60);
    return renderConnectedAppsPage(ui, {
      account,
      apps: await this.connectedApps.list(account.id),
      removedApp: removed,
      accessTokenLifetimeMinutes: minutes,
    });
  }

  @Post()
  @Public('no-token')
  async remove(@Body() form: URLSearchParams, @CurrentSession() { accountId }: Session): Promise<Redirect> {
    const removed = await this.connectedApps.remove(accountId, form.get('what') ?? '');
    return new Redirect(`${this.settings.basePath}/account/apps${removed ? `?removed=${removed}` : ''}`);
  }
}
