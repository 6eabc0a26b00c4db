import { Get, Param } from '@nestjs/common';
import {
  AuthenticatedPageController,
  CurrentSession,
} from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { CollectionsService } from '../../map/collections/collections.service.js';
import { EditViewsService } from '../../map/edits/view/edit-views.service.js';
import { SearchParams } from '../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderCollectionPage, renderEditPage } from './record-targets.page.js';

const PAGE_SIZE = 100;

/** The pages of a suggestion and of a collection, to which lines of the record link. */
@AuthenticatedPageController('account')
export class RecordTargetsController {
  constructor(
    private readonly edits: EditViewsService,
    private readonly collections: CollectionsService,
  ) {}

  @Get('edits/:id')
  async showEdit(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    const { view, artistNames } = await this.edits.getWithArtists(createPersonActor(accountId), id);
    return renderEditPage(viewContext, view, artistNames);
  }

  @Get('collections/:id')
  async showCollection(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    const cursor = query.get('cursor');
    const page = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
    return renderCollectionPage(viewContext, await this.collections.get(createPersonActor(accountId), id, page));
  }
}
