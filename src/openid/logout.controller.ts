import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, PersonPage } from '../accounts/page-person.js';
import type { Session } from '../accounts/session.entity.js';
import { Settings } from '../config/settings.js';
import { SearchParams } from '../http/search-params.js';
import { SeeOther } from '../http/see-other.js';
import { Public } from '../scopes/public.decorator.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { LogoutService } from './logout.service.js';

/** An app signs a person out here too (OpenID Connect RP-Initiated Logout 1.0). */
@PersonPage('api/oauth/logout')
export class LogoutController {
  constructor(
    private readonly logout: LogoutService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  begin(
    @PageUi() ui: Ui,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    return this.logout.begin(ui, params, session);
  }

  /** A form from another site comes without the person's session, so it goes on as a link (§2). */
  @Post()
  @Public('no-token')
  beginByForm(@Body() form: URLSearchParams): SeeOther {
    return new SeeOther(`${this.settings.basePath}/api/oauth/logout?${form}`);
  }
}
