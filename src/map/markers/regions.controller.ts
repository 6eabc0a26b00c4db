import { Get, Query } from '@nestjs/common';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../platform/http/api-request.interceptor.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import type { RegionResponse } from '../regions/region.dto.js';
import { RegionsService } from '../regions/regions.service.js';

/** The regions of the markers. Regions import nothing from markers. */
@Licensed(true)
@ApiController('api/markers/regions')
export class RegionsController {
  constructor(private readonly regions: RegionsService) {}

  @Get()
  @RequireScope('markers:read')
  list(@Query() query: PageQuery): Promise<Page<RegionResponse>> {
    return this.regions.list(query);
  }
}
