import { Get, Query } from '@nestjs/common';
import { RequireScope } from '../../../identity/scopes/require-scope.decorator.js';
import { ApiController } from '../../../platform/http/api-controller.decorator.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import { type MarkerChange, MarkerChangesQuery } from './marker-change.dto.js';
import { MarkerChangesService } from './marker-changes.service.js';

/** The feed of changes of markers. */
@ApiController('api/markers/changes')
export class MarkerChangesController {
  constructor(private readonly changes: MarkerChangesService) {}

  @Get()
  @RequireScope('markers:read')
  list(@Query() query: MarkerChangesQuery): Promise<ChangePage<MarkerChange>> {
    return this.changes.list(query);
  }
}
