import { Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../platform/http/api-request.interceptor.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { GeoJsonInterceptor } from './geojson/geojson.interceptor.js';
import type { ArtworkSummary } from './marker.dto.js';
import { ArtistArtworksQuery } from './markers-query.dto.js';
import { MarkersService } from './markers.service.js';

/**
 * The artworks of an artist: the route of the Artists API that needs markers. Artists import
 * nothing from markers.
 */
@Licensed(true)
@ApiController('api/artists/:id/artworks')
export class ArtistArtworksController {
  constructor(private readonly markers: MarkersService) {}

  @Get()
  @RequireScope('artists:read')
  @UseInterceptors(GeoJsonInterceptor)
  list(@Param('id') id: string, @Query() query: ArtistArtworksQuery): Promise<Page<ArtworkSummary>> {
    return this.markers.listByArtist(id, query);
  }
}
