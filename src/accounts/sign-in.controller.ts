import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../config/settings.js';
import { SearchParams, searchParamsOf } from '../http/search-params.js';
import { SeeOther } from '../http/see-other.js';
import { Public } from '../scopes/public.decorator.js';
import { EMPTY_FORM } from '../views/field.js';
import { PageUi, type Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { CurrentSession, PersonPage } from './page-person.js';
import { wayOf } from './return-address.js';
import type { Session } from './session.entity.js';
import { signInPage } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** Signing in: `?return_to=` says where to go on to, and `?login_hint=` who it may be. */
@PersonPage('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  form(@PageUi() ui: Ui, @SearchParams() query: URLSearchParams): View {
    const username = query.get('login_hint') ?? '';
    return signInPage(ui, { form: { ...EMPTY_FORM, values: { username } }, way: wayOf(this.settings.BASE_URL, query) });
  }

  @Post()
  @Public('no-token')
  async submit(
    @PageUi() ui: Ui,
    @Req() request: Request,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | SeeOther> {
    const username = (form.get('username') ?? '').trim();
    const result = await this.signIn.signIn(username, form.get('password') ?? '', request, session);
    const way = wayOf(this.settings.BASE_URL, searchParamsOf(request));
    if (result.outcome === 'signed in') return new SeeOther(way.returnTo, result.cookies);
    return signInPage(ui, { form: { ...EMPTY_FORM, values: { username } }, refusal: result, way });
  }
}
