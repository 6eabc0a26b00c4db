import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../platform/http/public.decorator.js';
import { type Redirect, redirectFormToQuery } from '../../platform/http/redirect.js';
import { SearchParams } from '../../platform/http/search-params.decorator.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import { CurrentViewContext } from '../../platform/views/view-context.decorator.js';
import type { View } from '../../platform/views/view.js';
import { CurrentSession } from '../accounts/sessions/current-session.decorator.js';
import { PageController } from '../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../accounts/sessions/session.entity.js';
import { LogoutService } from './logout.service.js';

/** The logout endpoint (OpenID Connect RP-Initiated Logout 1.0 §2). */
@PageController('api/oauth/logout')
export class LogoutController {
  constructor(private readonly logoutService: LogoutService) {}

  @Get()
  @Public('no-token')
  handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.logoutService.logOut(viewContext, params, session);
  }

  /** Accepts the request as a form (§2). */
  @Post()
  @Public('no-token')
  redirectPostToGet(@Req() request: Request, @Body() form: URLSearchParams): Redirect {
    return redirectFormToQuery(request, form);
  }
}
