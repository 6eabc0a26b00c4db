import { Get, Query } from '@nestjs/common';
import { RequireScope } from '../../../identity/scopes/require-scope.decorator.js';
import { ApiController } from '../../../platform/http/api-controller.decorator.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import { type ArtistChange, ArtistChangesQuery } from './artist-change.dto.js';
import { ArtistChangesService } from './artist-changes.service.js';

/** The feed of changes of artists. */
@ApiController('api/artists/changes')
export class ArtistChangesController {
  constructor(private readonly changes: ArtistChangesService) {}

  @Get()
  @RequireScope('artists:read')
  list(@Query() query: ArtistChangesQuery): Promise<ChangePage<ArtistChange>> {
    return this.changes.list(query);
  }
}
