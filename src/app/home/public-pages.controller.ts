import { Get, Param } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CurrentSession, PageController } from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { ApiRateLimitsService } from '../../identity/scopes/api-rate-limits.service.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { CollectionsService } from '../../map/collections/collections.service.js';
import { SearchParams } from '../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderCollectionPage } from './collection.page.js';
import { renderPublicAppsPage } from './public-apps.page.js';
import { PublicAppsService } from './public-apps.service.js';

const ITEMS_PER_PAGE = 100;

/** The pages that everyone can read: the listed apps and public collections. */
@PageController('')
export class PublicPagesController {
  constructor(
    private readonly apps: PublicAppsService,
    private readonly collections: CollectionsService,
    private readonly limits: ApiRateLimitsService,
  ) {}

  @Get('apps')
  async listApps(@CurrentViewContext() viewContext: ViewContext): Promise<View> {
    return renderPublicAppsPage(viewContext, await this.apps.list());
  }

  /**
   * A person who is signed in can also read their own private collections. Others share the limit
   * of API calls without a token.
   */
  @Get('collections/:id')
  async showCollection(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() session: Session | null,
  ): Promise<View> {
    if (!session) await this.limits.consume(this.limits.listQuotas('read', undefined));
    const cursor = query.get('cursor');
    const page = { limit: ITEMS_PER_PAGE, ...(cursor !== null && { cursor }) };
    const actor = session ? createPersonActor(session.accountId) : undefined;
    return renderCollectionPage(viewContext, await this.collections.get(actor, id, page), await this.apps.list());
  }
}

/**
 * Redirects a browser that opens the address of a collection in the API to its page. An app asks
 * for JSON or accepts everything, or it sends a token.
 */
export function redirectBrowserToCollection(request: Request, response: Response, next: NextFunction): void {
  const { accept = '', authorization } = request.headers;
  // Some HTTP libraries accept HTML by default, but no XHTML.
  const isBrowser = accept === 'text/html' || accept.includes('application/xhtml+xml');
  const wantsHtml = isBrowser && request.accepts(['json', 'html']) === 'html';
  if (!wantsHtml || authorization !== undefined || request.query['format'] !== undefined) return next();
  response.vary('Accept').redirect(303, request.originalUrl.replace('/api/collections/', '/collections/'));
}
