import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, PageController } from '../../accounts/session.guard.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { SearchParams } from '../../../platform/http/search-params.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthorizeService } from './authorize.service.js';

/** The authorization endpoint (RFC 6749 §3.1). */
@PageController('api/oauth/authorize')
export class AuthorizeController {
  constructor(
    private readonly authorizeService: AuthorizeService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  handleGet(
    @CurrentViewContext() ui: ViewContext,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.authorizeService.authorize(ui, params, session);
  }

  /**
   * The same by a form of the app (OpenID Connect Core §3.1.2.1). A form from another site comes without the person's
   * session, so it goes on as a link.
   */
  @Post()
  @Public('no-token')
  redirectPostToGet(@Body() form: URLSearchParams): Redirect {
    return new Redirect(`${this.settings.basePath}/api/oauth/authorize?${form}`);
  }
}
