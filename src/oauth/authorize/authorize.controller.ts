import { Body, Get, Post } from '@nestjs/common';
import { CurrentSession, PersonPage } from '../../accounts/page-person.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../config/settings.js';
import { SearchParams } from '../../http/search-params.js';
import { SeeOther } from '../../http/see-other.js';
import { Public } from '../../scopes/public.decorator.js';
import { PageUi, type Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { AuthorizeService } from './authorize.service.js';

/** The authorization endpoint (RFC 6749 §3.1). */
@PersonPage('api/oauth/authorize')
export class AuthorizeController {
  constructor(
    private readonly authorize: AuthorizeService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  begin(
    @PageUi() ui: Ui,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    return this.authorize.begin(ui, params, session);
  }

  /**
   * The same by a form of the app (OpenID Connect Core §3.1.2.1). A form from another site comes without the person's
   * session, so it goes on as a link.
   */
  @Post()
  @Public('no-token')
  beginByForm(@Body() form: URLSearchParams): SeeOther {
    return new SeeOther(`${this.settings.basePath}/api/oauth/authorize?${form}`);
  }
}
