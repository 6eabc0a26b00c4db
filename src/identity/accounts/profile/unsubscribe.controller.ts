import { type CallHandler, Get, Injectable, type NestInterceptor, Post, type ExecutionContext } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { SearchParams } from '../../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { PageController } from '../sessions/page-controller.decorator.js';
import { ProfileService } from './profile.service.js';
import { renderUnknownLinkPage, renderUnsubscribedPage, renderUnsubscribePage } from './unsubscribe.page.js';

/** Leaves the form unread: the link names the account, and mail clients send any encoding. */
@Injectable()
class UnreadFormInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

/**
 * The page of a link that ends the messages about decisions (RFC 8058). It needs no session.
 * Opening the link changes nothing, because scanners of mailboxes open links.
 */
@PageController('unsubscribe', UnreadFormInterceptor)
export class UnsubscribeController {
  constructor(private readonly profile: ProfileService) {}

  @Get()
  async show(@CurrentViewContext() viewContext: ViewContext, @SearchParams() query: URLSearchParams): Promise<View> {
    const token = query.get('token') ?? '';
    const account = await this.profile.findByUnsubscribeToken(token);
    return account ? renderUnsubscribePage(viewContext, account, token) : renderUnknownLinkPage(viewContext);
  }

  @Post()
  async unsubscribe(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
  ): Promise<View> {
    const account = await this.profile.findByUnsubscribeToken(query.get('token') ?? '');
    if (!account) return renderUnknownLinkPage(viewContext);
    await this.profile.unsubscribe(account);
    return renderUnsubscribedPage(viewContext);
  }
}
