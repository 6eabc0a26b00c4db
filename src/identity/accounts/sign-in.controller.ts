import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../platform/http/public.decorator.js';
import type { Redirect } from '../../platform/http/redirect.js';
import { SearchParams } from '../../platform/http/search-params.decorator.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import { CurrentViewContext } from '../../platform/views/view-context.decorator.js';
import type { View } from '../../platform/views/view.js';
import { CurrentSession } from './current-session.decorator.js';
import { PageController } from './page-controller.decorator.js';
import type { ReturnTarget } from './return-target.js';
import { ReturnTargetPipe } from './return-target.pipe.js';
import type { Session } from './session.entity.js';
import { renderSignInPage, toSignInResponse } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** The sign-in page. `return_to` is the page to return to, `login_hint` the suggested username. */
@PageController('sign-in')
export class SignInController {
  constructor(private readonly signIn: SignInService) {}

  @Get()
  @Public('no-token')
  showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @SearchParams(ReturnTargetPipe) returnTarget: ReturnTarget,
  ): View {
    return renderSignInPage(viewContext, { login: query.get('login_hint') ?? '', returnTarget });
  }

  @Post()
  @Public('no-token')
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @SearchParams(ReturnTargetPipe) returnTarget: ReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const login = (form.get('username') ?? '').trim();
    const result = await this.signIn.signIn({ login, password: form.get('password') ?? '' }, request, session);
    return toSignInResponse(viewContext, { login, returnTarget, result });
  }
}
