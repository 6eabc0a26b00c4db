import { Body, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../../platform/http/public.decorator.js';
import { type Redirect, redirectFormToQuery } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/search-params.decorator.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { CurrentViewContext } from '../../../platform/views/view-context.decorator.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from '../../accounts/sessions/current-session.decorator.js';
import { PageController } from '../../accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { AuthorizeService } from './authorize.service.js';

/** The authorization endpoint (RFC 6749 §3.1). */
@PageController('api/oauth/authorize')
export class AuthorizeController {
  constructor(private readonly authorizeService: AuthorizeService) {}

  @Get()
  @Public('no-token')
  handleGet(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() params: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View | Redirect> {
    return this.authorizeService.authorize(viewContext, params, session);
  }

  /** Accepts the request as a form (OpenID Connect Core §3.1.2.1). */
  @Post()
  @Public('no-token')
  redirectPostToGet(@Req() request: Request, @Body() form: URLSearchParams): Redirect {
    return redirectFormToQuery(request, form);
  }
}
