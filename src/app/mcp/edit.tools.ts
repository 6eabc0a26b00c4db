import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { EditResponse, SuggestEditResponse } from '../../map/edits/edit.dto.js';
import {
  AcceptEditRequest,
  AcceptEditResponse,
  EditDecision,
  RejectEditRequest,
  RejectEditResponse,
  RevertEditResponse,
} from '../../map/edits/review/edit-decision.dto.js';
import { EditReviewsService } from '../../map/edits/review/edit-reviews.service.js';
import { EditSuggestionsService } from '../../map/edits/suggest/edit-suggestions.service.js';
import { EditWithdrawalsService } from '../../map/edits/suggest/edit-withdrawals.service.js';
import { SuggestEditRequest, WithdrawnEdit } from '../../map/edits/suggest/suggest-edit.dto.js';
import { EditViewPage, MyEditsQuery } from '../../map/edits/view/edit-views.dto.js';
import { EditViewsService } from '../../map/edits/view/edit-views.service.js';
import { idSchema } from '../../platform/database/ids.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { Tool, type ToolArguments } from './tool.decorator.js';

const EDIT_ID = idSchema('edt', 'Id of the edit.');

/** Suggests, lists and reviews edits. */
@Injectable()
export class EditTools {
  constructor(
    private readonly suggestions: EditSuggestionsService,
    private readonly withdrawals: EditWithdrawalsService,
    private readonly views: EditViewsService,
    private readonly reviews: EditReviewsService,
  ) {}

  @Tool({
    name: 'suggest_edit',
    title: 'Suggest an edit',
    description:
      'Suggests a change of an artwork or artist. Nothing changes on the map yet: another person reviews the edit first.',
    body: SuggestEditRequest,
    acceptsIdempotencyKey: true,
    output: SuggestEditResponse,
    notice: 'Nothing has changed on the map yet. Another person will review this edit.',
  })
  @RequireScope('edits:write')
  async suggest(caller: Caller, { values, key }: ToolArguments<SuggestEditRequest>): Promise<object> {
    return (await this.suggestions.suggest(caller, values, key)).response;
  }

  @Tool({
    name: 'withdraw_edit',
    title: 'Withdraw an edit',
    description: 'Withdraws an open edit of the person.',
    id: EDIT_ID,
    isDestructive: true,
    output: WithdrawnEdit,
  })
  @RequireScope('edits:write')
  withdraw(caller: Caller, { id }: ToolArguments): Promise<object> {
    return this.withdrawals.withdraw(caller, id);
  }

  @Tool({
    name: 'list_my_edits',
    title: 'List my edits',
    description: 'Lists the edits of the person, latest first.',
    query: MyEditsQuery,
    output: pageSchema(EditResponse),
  })
  @RequireScope('edits:read')
  listMine(caller: Caller, { values }: ToolArguments<MyEditsQuery>): Promise<object> {
    return this.views.listMine(caller, values);
  }

  @Tool({
    name: 'list_reviewable_edits',
    title: 'List edits to review',
    description:
      'Lists the open edits of others that the person may review, oldest first, with the actions that are allowed.',
    additionalScope: 'edits:review',
    query: PageQuery,
    output: EditViewPage,
  })
  @RequireScope('edits:read')
  listReviewable(caller: Caller, { values }: ToolArguments<PageQuery>): Promise<object> {
    return this.views.list(caller, {
      ...values,
      filter: { which: 'reviewable' },
      include: ['target', 'permissions'],
    });
  }

  @Tool({
    name: 'accept_edit',
    title: 'Accept an edit',
    description: 'Accepts an edit of another person. It changes the map at once.',
    id: EDIT_ID,
    body: AcceptEditRequest,
    isDestructive: true,
    output: AcceptEditResponse,
  })
  @RequireScope('edits:review')
  accept(caller: Caller, { id, values }: ToolArguments<AcceptEditRequest>): Promise<object> {
    return this.reviews.accept(caller, id, values);
  }

  @Tool({
    name: 'reject_edit',
    title: 'Reject an edit',
    description: 'Rejects an edit of another person. The author reads the comment.',
    id: EDIT_ID,
    body: RejectEditRequest,
    isDestructive: true,
    output: RejectEditResponse,
  })
  @RequireScope('edits:review')
  reject(caller: Caller, { id, values }: ToolArguments<RejectEditRequest>): Promise<object> {
    return this.reviews.reject(caller, id, values);
  }

  @Tool({
    name: 'revert_edit',
    title: 'Revert an edit',
    description: 'Undoes an accepted edit. It changes the map at once.',
    id: EDIT_ID,
    body: EditDecision,
    isDestructive: true,
    output: RevertEditResponse,
  })
  @RequireScope('edits:review')
  revert(caller: Caller, { id, values }: ToolArguments<EditDecision>): Promise<object> {
    return this.reviews.revert(caller, id, values);
  }
}
