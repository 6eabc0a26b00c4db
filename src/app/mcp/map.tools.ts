import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { ArtistResponse } from '../../map/artists/artist.dto.js';
import { ArtistsQuery } from '../../map/artists/artists-query.dto.js';
import { ArtistsService } from '../../map/artists/artists.service.js';
import { MarkerResponse } from '../../map/markers/marker.dto.js';
import { MarkersQuery } from '../../map/markers/markers-query.dto.js';
import { MarkersService } from '../../map/markers/markers.service.js';
import { idSchema } from '../../platform/database/ids.js';
import { pageOrIdsSchema } from '../../platform/database/page.dto.js';
import { Tool, type ToolArguments } from './tool.decorator.js';

/** Number of results of a search. */
const PAGE_SIZE = 20;

/** Searches the map. */
@Injectable()
export class MapTools {
  constructor(
    private readonly markers: MarkersService,
    private readonly artists: ArtistsService,
  ) {}

  @Tool({
    name: 'search_artworks',
    title: 'Search artworks',
    description:
      'Searches the artworks and other places of the map by words, near a point, in a box, and by filters. It returns ' +
      '20 results; send `page.nextCursor` as `cursor` for the next ones.',
    query: MarkersQuery,
    omit: ['limit', 'format', 'fields'],
    output: pageOrIdsSchema(MarkerResponse, 'mrk_unknown'),
  })
  @RequireScope('markers:read')
  searchArtworks(_: Caller, { values }: ToolArguments<MarkersQuery>): Promise<object> {
    return this.markers.list({ ...values, limit: PAGE_SIZE });
  }

  @Tool({
    name: 'get_artwork',
    title: 'Get an artwork',
    description: 'Returns an artwork or another place of the map.',
    id: idSchema('mrk', 'Id of the artwork or place.'),
    output: MarkerResponse,
  })
  @RequireScope('markers:read')
  getArtwork(_: Caller, { id }: ToolArguments): Promise<object> {
    return this.markers.get(id, {});
  }

  @Tool({
    name: 'search_artists',
    title: 'Search artists',
    description:
      'Searches artists by names and countries. It returns 20 results; send `page.nextCursor` as `cursor` for the next ones.',
    query: ArtistsQuery,
    omit: ['limit', 'fields'],
    output: pageOrIdsSchema(ArtistResponse, 'art_unknown'),
  })
  @RequireScope('artists:read')
  searchArtists(_: Caller, { values }: ToolArguments<ArtistsQuery>): Promise<object> {
    return this.artists.list({ ...values, limit: PAGE_SIZE });
  }

  @Tool({
    name: 'get_artist',
    title: 'Get an artist',
    description: 'Returns an artist or a group of artists.',
    id: idSchema('art', 'Id of the artist.'),
    output: ArtistResponse,
  })
  @RequireScope('artists:read')
  getArtist(_: Caller, { id }: ToolArguments): Promise<object> {
    return this.artists.get(id, {});
  }
}
