import { Get, Query } from '@nestjs/common';
import { RequireScope } from '../../../identity/scopes/require-scope.decorator.js';
import { ApiController } from '../../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../../platform/http/api-request.interceptor.js';
import { type MarkerClusters, MarkerClustersQuery } from './marker-clusters.dto.js';
import { MarkerClustersService } from './marker-clusters.service.js';

/** The markers of a box, grouped for a map. */
@Licensed(true)
@ApiController('api/markers/clusters')
export class MarkerClustersController {
  constructor(private readonly clusters: MarkerClustersService) {}

  @Get()
  @RequireScope('markers:read')
  list(@Query() query: MarkerClustersQuery): Promise<MarkerClusters> {
    return this.clusters.list(query);
  }
}
