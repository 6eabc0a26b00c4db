import { Get, Param, Query } from '@nestjs/common';
import type { VersionResponse } from '../history/history.dto.js';
import { ApiController } from '../http/api-controller.js';
import { type Page, PageQuery } from '../http/paging.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import type { ArtistResponse } from './artist.dto.js';
import { ArtistsQuery } from './artists-query.dto.js';
import { type ArtistsPage, ArtistsService } from './artists.service.js';

@ApiController('api/artists')
export class ArtistsController {
  constructor(private readonly artists: ArtistsService) {}

  @Get()
  @RequireScope('artists:read')
  list(@Query() query: ArtistsQuery): Promise<ArtistsPage> {
    return this.artists.list(query);
  }

  @Get(':id')
  @RequireScope('artists:read')
  get(@Param('id') id: string): Promise<ArtistResponse> {
    return this.artists.get(id);
  }

  @Get(':id/history')
  @RequireScope('artists:read')
  versions(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<VersionResponse>> {
    return this.artists.versions(id, query);
  }
}
