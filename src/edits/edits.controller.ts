import { Body, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../http/api-controller.js';
import type { Page } from '../http/paging.js';
import { Caller } from '../scopes/caller.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { type Accepted, EditReviewsService, type Reverted } from './edit-reviews.service.js';
import { EditSuggestionsService } from './edit-suggestions.service.js';
import {
  Decision,
  type EditResponse,
  EvaluatePermissions,
  MyEditsQuery,
  Rejection,
  SuggestEdit,
  ViewEdits,
  type WrittenEdit,
} from './edit.dto.js';
import { type EditAnswer, EditsService, type EditView, type EditViews } from './edits.service.js';

@ApiController('api/edits')
export class EditsController {
  constructor(
    private readonly edits: EditsService,
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
    return this.edits.get(caller, id);
  }

  @Post('views')
  @HttpCode(200)
  @RequireScope('edits:read')
  views(@Caller() caller: Caller, @Body() body: ViewEdits): Promise<EditViews> {
    return this.edits.view(caller, body.ids);
  }

  @Post()
  @RequireScope('edits:write')
  async suggest(
    @Caller() caller: Caller,
    @Body() body: SuggestEdit,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WrittenEdit> {
    const edit = await this.suggestions.suggest(caller, body);
    response.location(`${response.req.originalUrl}/${edit.id}`);
    return edit;
  }

  @Post('evaluate-permissions')
  @HttpCode(200)
  @RequireScope('edits:write')
  evaluate(@Caller() caller: Caller, @Body() body: EvaluatePermissions): Promise<{ data: EditAnswer[] }> {
    return this.edits.evaluate(
      caller,
      body.items.map(({ editId }) => editId),
    );
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequireScope('edits:review')
  accept(@Caller() caller: Caller, @Param('id') id: string, @Body() body: Decision): Promise<Accepted> {
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
