import { Body, Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../../platform/http/public.decorator.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import { PasskeyRequestsService } from './passkey-requests.service.js';
import { PasswordQueueGuard } from './password-queue.guard.js';
import { type NamedReturnTarget, ReturnTargetPipe } from '../return-target.pipe.js';
import type { Session } from '../sessions/session.entity.js';
import { renderSignInPage, toSignInResponse } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** The sign-in page. `return_to` is the page to return to, `login_hint` the suggested username. */
@PageController('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly passkeyRequests: PasskeyRequestsService,
  ) {}

  @Get()
  @Public('no-token')
  async showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @SearchParams() query: URLSearchParams,
    @SearchParams(ReturnTargetPipe) returnTarget: NamedReturnTarget,
  ): Promise<View> {
    const login = query.get('login_hint') ?? '';
    const passkeyRequest = await this.passkeyRequests.create(request);
    return renderSignInPage(viewContext, { login, returnTarget, passkeyRequest });
  }

  @Post()
  @Public('no-token')
  @UseGuards(PasswordQueueGuard)
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @SearchParams(ReturnTargetPipe) returnTarget: NamedReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const login = (form.get('username') ?? '').trim();
    const result = await this.signIn.signIn({ login, password: form.get('password') ?? '' }, request, session);
    const passkeyRequest = await this.passkeyRequests.create(request);
    return toSignInResponse(viewContext, { login, returnTarget, passkeyRequest, result });
  }
}
