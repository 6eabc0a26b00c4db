import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, SignedInPage } from '../../accounts/page-person.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../config/settings.js';
import { SearchParams } from '../../http/search-params.js';
import { SeeOther } from '../../http/see-other.js';
import { Public } from '../../scopes/public.decorator.js';
import { PageUi, type Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { connectedAppsPage } from './connected-apps.page.js';
import { ConnectedAppsService } from './connected-apps.service.js';

/** The apps that may act for a person. */
@SignedInPage('account/apps')
export class ConnectedAppsController {
  constructor(
    private readonly connected: ConnectedAppsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  async list(
    @PageUi() ui: Ui,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const removed = await this.connected.removed(account.id, query.get('removed') ?? '');
    const minutes = Math.ceil(this.settings.ACCESS_TOKEN_LIFETIME / 60);
    return connectedAppsPage(ui, { account, apps: await this.connected.list(account.id), removed, minutes });
  }

  @Post()
  @Public('no-token')
  async remove(@Body() form: URLSearchParams, @CurrentSession() { accountId }: Session): Promise<SeeOther> {
    const removed = await this.connected.remove(accountId, form.get('what') ?? '');
    return new SeeOther(`${this.settings.basePath}/account/apps${removed ? `?removed=${removed}` : ''}`);
  }
}
