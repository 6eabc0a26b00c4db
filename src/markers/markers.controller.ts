import { Get, Param, Query, UseInterceptors } from '@nestjs/common';
import type { VersionResponse } from '../history/history.dto.js';
import { ApiController } from '../http/api-controller.js';
import { type Page, PageQuery } from '../http/paging.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { GeoJson } from './geojson.interceptor.js';
import type { MarkerResponse } from './marker.dto.js';
import { MarkersQuery } from './markers-query.dto.js';
import { type MarkersPage, MarkersService } from './markers.service.js';

@ApiController('api/markers')
export class MarkersController {
  constructor(private readonly markers: MarkersService) {}

  @Get()
  @RequireScope('markers:read')
  @UseInterceptors(GeoJson)
  list(@Query() query: MarkersQuery): Promise<MarkersPage> {
    return this.markers.list(query);
  }

  @Get(':id')
  @RequireScope('markers:read')
  get(@Param('id') id: string): Promise<MarkerResponse> {
    return this.markers.get(id);
  }

  @Get(':id/history')
  @RequireScope('markers:read')
  versions(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<VersionResponse>> {
    return this.markers.versions(id, query);
  }
}
