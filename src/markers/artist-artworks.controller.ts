import { Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiController } from '../http/api-controller.js';
import type { Page } from '../http/paging.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { GeoJson } from './geojson.interceptor.js';
import type { ArtworkSummary } from './marker.dto.js';
import { ArtistArtworksQuery } from './markers-query.dto.js';
import { MarkersService } from './markers.service.js';

/** An artist's artworks: a route of the Artists API that lives here, since artworks know their artists and not the reverse. */
@ApiController('api/artists/:id/artworks')
export class ArtistArtworksController {
  constructor(private readonly markers: MarkersService) {}

  @Get()
  @RequireScope('artists:read')
  @UseInterceptors(GeoJson)
  list(@Param('id') id: string, @Query() query: ArtistArtworksQuery): Promise<Page<ArtworkSummary>> {
    return this.markers.listOfArtist(id, query);
  }
}
