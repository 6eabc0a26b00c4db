import { Body, Get, Post } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { SearchParams } from '../../platform/http/search-params.decorator.js';
import { Redirect } from '../../platform/http/redirect.js';
import { Public } from '../../platform/http/public.decorator.js';
import { EMPTY_FORM_STATE, toFormState } from '../../platform/views/form-field.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { CurrentSession, PageController } from './session.guard.js';
import { parseReturnTarget } from './return-target.js';
import type { Session } from './session.entity.js';
import { renderSignUpPage } from './sign-up.page.js';
import { SignUpService } from './sign-up.service.js';

/** Making an account, with the same query as signing in. */
@PageController('sign-up')
export class SignUpController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public('no-token')
  showForm(@CurrentViewContext() ui: ViewContext, @SearchParams() query: URLSearchParams): View {
    return renderSignUpPage(ui, parseReturnTarget(this.settings.BASE_URL, query), EMPTY_FORM_STATE);
  }

  @Post()
  @Public('no-token')
  async submit(
    @CurrentViewContext() ui: ViewContext,
    @SearchParams() query: URLSearchParams,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const way = parseReturnTarget(this.settings.BASE_URL, query);
    return this.signUp.signUp(form, session).then(
      (cookies) => new Redirect(way.returnTo, cookies),
      (error: unknown) => renderSignUpPage(ui, way, toFormState(ui, form, error)),
    );
  }
}
