import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, PageController } from '../accounts/session.guard.js';
import type { Session } from '../accounts/session.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { SearchParams } from '../../platform/http/search-params.decorator.js';
import { Redirect } from '../../platform/http/redirect.js';
import { Public } from '../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LogoutService } from './logout.service.js';

/** An app signs a person out here too (OpenID Connect RP-Initiated Logout 1.0). */
@PageController('api/oauth/logout')
export class LogoutController {
  constructor(
    private readonly logoutService: LogoutService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  handleGet(
    @CurrentViewContext() ui: ViewContext,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.logoutService.logOut(ui, params, session);
  }

  /** A form from another site comes without the person's session, so it goes on as a link (§2). */
  @Post()
  @Public('no-token')
  redirectPostToGet(@Body() form: URLSearchParams): Redirect {
    return new Redirect(`${this.settings.basePath}/api/oauth/logout?${form}`);
  }
}
