import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Redirect } from '../../../platform/http/redirect.js';
import { RawQuery, SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession, PageController } from '../sessions/page-controller.decorator.js';
import { PasskeyChallengesService } from './passkey-challenges.service.js';
import { type NamedReturnTarget, ReturnTargetPipe } from '../return-target.pipe.js';
import type { Session } from '../sessions/session.entity.js';
import { renderSignInPage, toSignInResponse } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** The sign-in page. `return_to` is the page to return to, `login_hint` the suggested username. */
@PageController('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly challenges: PasskeyChallengesService,
  ) {}

  @Get()
  async showForm(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @SearchParams() query: URLSearchParams,
    @RawQuery(ReturnTargetPipe) returnTarget: NamedReturnTarget,
  ): Promise<View> {
    const username = query.get('login_hint') ?? '';
    const passkeyRequest = await this.challenges.createRequest(request);
    return renderSignInPage(viewContext, { username, returnTarget, passkeyRequest });
  }

  @Post()
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @RawQuery(ReturnTargetPipe) returnTarget: NamedReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const username = (form.get('username') ?? '').trim();
    const result = await this.signIn.signIn(
      { usernameOrEmail: username, password: form.get('password') ?? '' },
      request.ip ?? '',
      session,
    );
    const passkeyRequest = await this.challenges.createRequest(request);
    return toSignInResponse(viewContext, { username, returnTarget, passkeyRequest, result });
  }
}
