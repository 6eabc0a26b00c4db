import { Body, Post } from '@nestjs/common';
import { CurrentSession, PersonPage } from '../../accounts/page-person.js';
import type { Session } from '../../accounts/session.entity.js';
import type { SeeOther } from '../../http/see-other.js';
import { Public } from '../../scopes/public.decorator.js';
import { PageUi, type Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { AuthorizeService } from './authorize.service.js';

/** Where the consent page is answered; the authorization endpoint shows it. */
@PersonPage('consent')
export class ConsentController {
  constructor(private readonly authorize: AuthorizeService) {}

  @Post()
  @Public('no-token')
  answer(
    @PageUi() ui: Ui,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    return this.authorize.answer(ui, form, session);
  }
}
