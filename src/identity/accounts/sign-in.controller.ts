import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../platform/config/settings.js';
import { SearchParams, parseSearchParams } from '../../platform/http/search-params.decorator.js';
import { Redirect } from '../../platform/http/redirect.js';
import { Public } from '../../platform/http/public.decorator.js';
import { EMPTY_FORM_STATE } from '../../platform/views/form-field.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { CurrentSession, PageController } from './session.guard.js';
import { parseReturnTarget } from './return-target.js';
import type { Session } from './session.entity.js';
import { renderSignInPage } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** Signing in: `?return_to=` says where to go on to, and `?login_hint=` who it may be. */
@PageController('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  showForm(@CurrentViewContext() ui: ViewContext, @SearchParams() query: URLSearchParams): View {
    const username = query.get('login_hint') ?? '';
    return renderSignInPage(ui, {
      form: { ...EMPTY_FORM_STATE, values: { username } },
      returnTarget: parseReturnTarget(this.settings.BASE_URL, query),
    });
  }

  @Post()
  @Public('no-token')
  async submit(
    @CurrentViewContext() ui: ViewContext,
    @Req() request: Request,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const username = (form.get('username') ?? '').trim();
    const result = await this.signIn.signIn(username, form.get('password') ?? '', request, session);
    const way = parseReturnTarget(this.settings.BASE_URL, parseSearchParams(request));
    if (result.outcome === 'signed in') return new Redirect(way.returnTo, result.cookies);
    return renderSignInPage(ui, {
      form: { ...EMPTY_FORM_STATE, values: { username } },
      failure: result,
      returnTarget: way,
    });
  }
}
