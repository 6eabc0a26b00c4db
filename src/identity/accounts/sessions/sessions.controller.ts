import { Body, Get, Post } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { SearchParams } from '../../../platform/http/request-url.js';
import { type ViewContext, CurrentViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AuthenticatedPageController, CurrentSession } from './page-controller.decorator.js';
import type { Session } from './session.entity.js';
import { renderSessionsPage } from './sessions.page.js';
import { SessionsService } from './sessions.service.js';

/** The page of the browsers in which the person is signed in. */
@AuthenticatedPageController('account/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly transactions: TransactionService,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() current: Session,
  ): Promise<View> {
    const sessions = await this.sessions.list(current.accountId);
    return renderSessionsPage(viewContext, current, sessions, query.get('done'));
  }

  @Post()
  async end(
    @CurrentViewContext() { basePath }: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() current: Session,
  ): Promise<Redirect> {
    const id = form.get('session') ?? '';
    if (id === current.id) return new Redirect(`${basePath}/sign-in`, [await this.sessions.end(current)]);
    const isEnded = await this.sessions.endById(current.accountId, id);
    return new Redirect(`${basePath}/account/sessions?done=${isEnded ? 'ended' : 'alreadyEnded'}`);
  }

  @Post('end-others')
  async endOthers(
    @CurrentViewContext() { basePath }: ViewContext,
    @CurrentSession() current: Session,
  ): Promise<Redirect> {
    await this.transactions.run((tx) => this.sessions.endAll(tx, current.accountId, current));
    return new Redirect(`${basePath}/account/sessions?done=othersEnded`);
  }
}
