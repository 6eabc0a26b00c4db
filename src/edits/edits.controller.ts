import { Body, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../http/api-controller.js';
import { locate } from '../http/page-link.js';
import type { Page } from '../http/paging.js';
import { Caller } from '../scopes/caller.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { EvaluatePermissions, type Evaluation } from './edit-evaluation.dto.js';
import { EditEvaluationService } from './edit-evaluation.service.js';
import { type Accepted, EditReviewsService, type Reverted } from './edit-reviews.service.js';
import { EditSuggestionsService } from './edit-suggestions.service.js';
import { type EditView, type EditViews, ViewEdits } from './edit-views.dto.js';
import { EditViewsService } from './edit-views.service.js';
import {
  Acceptance,
  Decision,
  type EditResponse,
  MyEditsQuery,
  Rejection,
  SuggestEdit,
  type WrittenEdit,
} from './edit.dto.js';
import { EditsService } from './edits.service.js';

@ApiController('api/edits')
export class EditsController {
  constructor(
    private readonly edits: EditsService,
    private readonly viewing: EditViewsService,
    private readonly evaluation: EditEvaluationService,
    private readonly suggestions: EditSuggestionsService,
    private readonly reviews: EditReviewsService,
  ) {}

  @Get('mine')
  @RequireScope('edits:read')
  mine(@Caller() caller: Caller, @Query() query: MyEditsQuery): Promise<Page<EditResponse>> {
    return this.edits.listMine(caller, query);
  }

  @Get(':id')
  @RequireScope('edits:read')
  get(@Caller() caller: Caller, @Param('id') id: string): Promise<EditView> {
    return this.viewing.get(caller, id);
  }

  @Post('views')
  @HttpCode(200)
  @RequireScope('edits:read')
  views(@Caller() caller: Caller, @Body() body: ViewEdits): Promise<EditViews> {
    return this.viewing.view(caller, body);
  }

  @Post()
  @RequireScope('edits:write')
  async suggest(
    @Caller() caller: Caller,
    @Body() body: SuggestEdit,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WrittenEdit> {
    const edit = await this.suggestions.suggest(caller, body);
    locate(response, edit.id);
    return edit;
  }

  @Post('evaluate-permissions')
  @HttpCode(200)
  @RequireScope('edits:write')
  evaluate(@Caller() caller: Caller, @Body() body: EvaluatePermissions): Promise<Evaluation> {
    return this.evaluation.evaluate(caller, body.items);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequireScope('edits:review')
  accept(@Caller() caller: Caller, @Param('id') id: string, @Body() body: Acceptance): Promise<Accepted> {
    return this.reviews.accept(caller, id, body);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @RequireScope('edits:review')
  reject(@Caller() caller: Caller, @Param('id') id: string, @Body() body: Rejection): Promise<{ edit: WrittenEdit }> {
    return this.reviews.reject(caller, id, body);
  }

  @Post(':id/revert')
  @HttpCode(200)
  @RequireScope('edits:review')
  revert(@Caller() caller: Caller, @Param('id') id: string, @Body() body: Decision): Promise<Reverted> {
    return this.reviews.revert(caller, id, body);
  }
}
