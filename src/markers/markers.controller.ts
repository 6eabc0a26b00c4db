import { Get, Param, Query } from '@nestjs/common';
import { ApiController } from '../http/api-controller.js';
import type { Page } from '../http/paging.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { type MarkerResponse, MarkersQuery } from './marker.dto.js';
import { MarkersService } from './markers.service.js';

@ApiController('api/markers')
export class MarkersController {
  constructor(private readonly markers: MarkersService) {}

  @Get()
  @RequireScope('markers:read')
  list(@Query() query: MarkersQuery): Promise<Page<MarkerResponse>> {
    return this.markers.list(query);
  }

  @Get(':id')
  @RequireScope('markers:read')
  get(@Param('id') id: string): Promise<MarkerResponse> {
    return this.markers.get(id);
  }
}
