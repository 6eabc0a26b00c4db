import { Body, Get, Post } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { SearchParams } from '../http/search-params.js';
import { SeeOther } from '../http/see-other.js';
import { Public } from '../scopes/public.decorator.js';
import { EMPTY_FORM, refilled } from '../views/field.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { CurrentSession, PersonPage } from './page-person.js';
import { wayOf } from './return-address.js';
import type { Session } from './session.entity.js';
import { signUpPage } from './sign-up.page.js';
import { SignUpService } from './sign-up.service.js';

/** Making an account, with the same query as signing in. */
@PersonPage('sign-up')
export class SignUpController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  form(@PageUi() ui: Ui, @SearchParams() query: URLSearchParams): View {
    return signUpPage(ui, wayOf(this.settings.BASE_URL, query), EMPTY_FORM);
  }

  @Post()
  @Public('no-token')
  async submit(
    @PageUi() ui: Ui,
    @SearchParams() query: URLSearchParams,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    const way = wayOf(this.settings.BASE_URL, query);
    return this.signUp.signUp(form, session).then(
      (cookies) => new SeeOther(way.returnTo, cookies),
      (error: unknown) => signUpPage(ui, way, refilled(ui, form, error)),
    );
  }
}
