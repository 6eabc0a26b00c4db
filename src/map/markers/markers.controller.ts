import { Get, Param, Query, UseInterceptors } from '@nestjs/common';
import type { VersionResponse } from '../history/history.dto.js';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../platform/http/api-request.interceptor.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { GeoJsonInterceptor } from './geojson/geojson.interceptor.js';
import type { MarkerListResponse, MarkerResponse } from './marker.dto.js';
import { MarkerQuery, MarkersQuery } from './markers-query.dto.js';
import type { MarkerText } from './responses/prepared-markers.store.js';
import { MarkersService } from './markers.service.js';
import type { ChangePage } from '../changes/change-page.dto.js';
import { type MarkerChange, MarkerChangesQuery } from './changes/marker-change.dto.js';
import { MarkerChangesService } from './changes/marker-changes.service.js';

/** The Markers API. */
@Licensed(true)
@ApiController('api/markers')
export class MarkersController {
  constructor(private readonly markers: MarkersService) {}

  @Get()
  @RequireScope('markers:read')
  @UseInterceptors(GeoJsonInterceptor)
  list(@Query() query: MarkersQuery): Promise<MarkerListResponse> {
    return this.markers.list(query);
  }

  @Get(':id')
  @RequireScope('markers:read')
  get(@Param('id') id: string, @Query() query: MarkerQuery): Promise<Partial<MarkerResponse> | MarkerText> {
    return this.markers.get(id, query);
  }

  @Get(':id/history')
  @RequireScope('markers:read')
  listVersions(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<VersionResponse>> {
    return this.markers.listVersions(id, query);
  }
}

/** The feed of changes of markers. */
@Licensed(true)
@ApiController('api/markers/changes')
export class MarkerChangesController {
  constructor(private readonly changes: MarkerChangesService) {}

  @Get()
  @RequireScope('markers:read')
  list(@Query() query: MarkerChangesQuery): Promise<ChangePage<MarkerChange>> {
    return this.changes.list(query);
  }
}
