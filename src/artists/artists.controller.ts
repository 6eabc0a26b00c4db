import { Get, Param, Query } from '@nestjs/common';
import { ApiController } from '../http/api-controller.js';
import { type Page, PageQuery } from '../http/paging.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import type { ArtistResponse } from './artist.dto.js';
import { ArtistsService } from './artists.service.js';

@ApiController('api/artists')
export class ArtistsController {
  constructor(private readonly artists: ArtistsService) {}

  @Get()
  @RequireScope('artists:read')
  list(@Query() query: PageQuery): Promise<Page<ArtistResponse>> {
    return this.artists.list(query);
  }

  @Get(':id')
  @RequireScope('artists:read')
  get(@Param('id') id: string): Promise<ArtistResponse> {
    return this.artists.get(id);
  }
}
