import { Get, Param } from '@nestjs/common';
import {
  AuthenticatedPageController,
  CurrentSession,
} from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { EditViewsService } from '../../map/edits/view/edit-views.service.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderEditPage } from './edit.page.js';

/** The page of a suggestion, to which lines of the record link. */
@AuthenticatedPageController('account/edits')
export class EditPageController {
  constructor(private readonly edits: EditViewsService) {}

  @Get(':id')
  async showEdit(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @CurrentSession() { accountId }: Session,
  ): Promise<View> {
    const { view, artistNames } = await this.edits.getWithArtists(createPersonActor(accountId), id);
    return renderEditPage(viewContext, view, artistNames);
  }
}
