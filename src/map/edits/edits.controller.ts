import { Body, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { IdempotencyKeyHeader, toReplayableBody } from '../../platform/idempotency/idempotency-key.decorator.js';
import type { IdempotencyKey } from '../../platform/idempotency/idempotent-writes.service.js';
import { setLocationHeader } from '../../platform/http/request-url.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { Caller } from '../../identity/scopes/caller.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { EvaluatePermissionsRequest, type PermissionEvaluation } from './view/permission-evaluation.dto.js';
import { PermissionEvaluationService } from './view/permission-evaluation.service.js';
import {
  AcceptEditRequest,
  type AcceptEditResponse,
  DecideEditsRequest,
  type DecideEditsResponse,
  EditDecision,
  RejectEditRequest,
  type RejectEditResponse,
  type RevertEditResponse,
} from './review/edit-decision.dto.js';
import { EditReviewsService } from './review/edit-reviews.service.js';
import { SuggestEditRequest, type WithdrawnEdit } from './suggest/suggest-edit.dto.js';
import { EditSuggestionsService } from './suggest/edit-suggestions.service.js';
import { EditWithdrawalsService } from './suggest/edit-withdrawals.service.js';
import { type EditView, type EditViewPage, MyEditsQuery, EditViewsRequest } from './view/edit-views.dto.js';
import { EditViewsService } from './view/edit-views.service.js';
import type { EditResponse, SuggestEditResponse } from './edit.dto.js';

/** The Edits API. */
@ApiController('api/edits')
export class EditsController {
  constructor(
    private readonly views: EditViewsService,
    private readonly permissionEvaluation: PermissionEvaluationService,
    private readonly suggestions: EditSuggestionsService,
    private readonly reviews: EditReviewsService,
    private readonly withdrawals: EditWithdrawalsService,
  ) {}

  @Get('mine')
  @RequireScope('edits:read')
  listMine(@Caller() caller: Caller, @Query() query: MyEditsQuery): Promise<Page<EditResponse>> {
    return this.views.listMine(caller, query);
  }

  @Get(':id')
  @RequireScope('edits:read')
  get(@Caller() caller: Caller, @Param('id') id: string): Promise<EditView> {
    return this.views.get(caller, id);
  }

  @Post('views')
  @HttpCode(200)
  @RequireScope('edits:read')
  listViews(@Caller() caller: Caller, @Body() body: EditViewsRequest): Promise<EditViewPage> {
    return this.views.list(caller, body);
  }

  @Post()
  @RequireScope('edits:write')
  async suggest(
    @Caller() caller: Caller,
    @Body() body: SuggestEditRequest,
    @IdempotencyKeyHeader() key: IdempotencyKey | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuggestEditResponse> {
    const edit = toReplayableBody(response, await this.suggestions.suggest(caller, body, key));
    setLocationHeader(response, edit.id);
    return edit;
  }

  @Post('evaluate-permissions')
  @HttpCode(200)
  @RequireScope('edits:write')
  evaluatePermissions(
    @Caller() caller: Caller,
    @Body() body: EvaluatePermissionsRequest,
  ): Promise<PermissionEvaluation> {
    return this.permissionEvaluation.evaluate(caller, body.items);
  }

  @Post('decisions')
  @HttpCode(200)
  @RequireScope('edits:review')
  decideMany(@Caller() caller: Caller, @Body() body: DecideEditsRequest): Promise<DecideEditsResponse> {
    return this.reviews.decideMany(caller, body);
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @RequireScope('edits:write')
  withdraw(@Caller() caller: Caller, @Param('id') id: string): Promise<WithdrawnEdit> {
    return this.withdrawals.withdraw(caller, id);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequireScope('edits:review')
  accept(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: AcceptEditRequest,
  ): Promise<AcceptEditResponse> {
    return this.reviews.accept(caller, id, body);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @RequireScope('edits:review')
  reject(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RejectEditRequest,
  ): Promise<RejectEditResponse> {
    return this.reviews.reject(caller, id, body);
  }

  @Post(':id/revert')
  @HttpCode(200)
  @RequireScope('edits:review')
  revert(@Caller() caller: Caller, @Param('id') id: string, @Body() body: EditDecision): Promise<RevertEditResponse> {
    return this.reviews.revert(caller, id, body);
  }
}
