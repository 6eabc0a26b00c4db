import { Body, Get, Post } from '@nestjs/common';
import { Public } from '../../../platform/http/public.decorator.js';
import type { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { CurrentSession } from './current-session.decorator.js';
import { AuthenticatedPageController } from './page-controller.decorator.js';
import type { Session } from './session.entity.js';
import { renderAccountSessionsPage } from './sessions.page.js';
import { AccountSessionsService } from './account-sessions.service.js';

/** The page of the browsers in which the person is signed in. */
@AuthenticatedPageController('account/sessions')
export class AccountSessionsController {
  constructor(private readonly sessions: AccountSessionsService) {}

  @Get()
  @Public('no-token')
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<View> {
    return renderAccountSessionsPage(viewContext, await this.sessions.list(session), query.get('done'));
  }

  @Post()
  @Public('no-token')
  async end(
    @CurrentViewContext() { basePath }: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() session: Session,
  ): Promise<Redirect> {
    return this.sessions.end(basePath, session, form.get('session') ?? '');
  }

  @Post('end-others')
  @Public('no-token')
  async endOthers(
    @CurrentViewContext() { basePath }: ViewContext,
    @CurrentSession() session: Session,
  ): Promise<Redirect> {
    return this.sessions.endOthers(basePath, session);
  }
}
