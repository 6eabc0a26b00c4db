import { Body, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../../platform/http/public.decorator.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../sessions/current-session.decorator.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import { type NamedReturnTarget, ReturnTargetPipe } from '../return-target.pipe.js';
import type { Session } from '../sessions/session.entity.js';
import { toSignInResponse } from '../sign-in/sign-in.page.js';
import { PasskeyRequestsService } from '../sign-in/passkey-requests.service.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';

/** Takes the form of the sign-in page that the script fills with a passkey's response. */
@PageController('sign-in/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIn: PasskeySignInService,
    private readonly passkeyRequests: PasskeyRequestsService,
  ) {}

  @Post()
  @Public('no-token')
  async submit(
    @CurrentViewContext() viewContext: ViewContext,
    @Req() request: Request,
    @SearchParams(ReturnTargetPipe) returnTarget: NamedReturnTarget,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    const result = await this.signIn.signIn(form.get('credential') ?? '', request, session);
    const passkeyRequest = await this.passkeyRequests.create(request);
    return toSignInResponse(viewContext, { login: '', returnTarget, passkeyRequest, result });
  }
}
