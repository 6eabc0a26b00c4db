import { Get, Param, Query } from '@nestjs/common';
import type { VersionResponse } from '../history/history.dto.js';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../platform/http/api-request.interceptor.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import type { ArtistListResponse, ArtistResponse } from './artist.dto.js';
import { ArtistQuery, ArtistsQuery } from './artists-query.dto.js';
import { ArtistsService } from './artists.service.js';
import type { ChangePage } from '../changes/change-page.dto.js';
import { type ArtistChange, ArtistChangesQuery } from './changes/artist-change.dto.js';
import { ArtistChangesService } from './changes/artist-changes.service.js';

/** The Artists API. */
@Licensed(true)
@ApiController('api/artists')
export class ArtistsController {
  constructor(private readonly artists: ArtistsService) {}

  @Get()
  @RequireScope('artists:read')
  list(@Query() query: ArtistsQuery): Promise<ArtistListResponse> {
    return this.artists.list(query);
  }

  @Get(':id')
  @RequireScope('artists:read')
  get(@Param('id') id: string, @Query() query: ArtistQuery): Promise<Partial<ArtistResponse>> {
    return this.artists.get(id, query);
  }

  @Get(':id/history')
  @RequireScope('artists:read')
  listVersions(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<VersionResponse>> {
    return this.artists.listVersions(id, query);
  }
}

/** The feed of changes of artists. */
@Licensed(true)
@ApiController('api/artists/changes')
export class ArtistChangesController {
  constructor(private readonly changes: ArtistChangesService) {}

  @Get()
  @RequireScope('artists:read')
  list(@Query() query: ArtistChangesQuery): Promise<ChangePage<ArtistChange>> {
    return this.changes.list(query);
  }
}
