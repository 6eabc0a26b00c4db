import { idSchema } from '../../platform/database/id-schema.js';
import { pageOrIdsSchema, pageSchema } from '../../platform/database/page.dto.js';
import { createGoneError, createNotFoundError } from '../../platform/http/api-error.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { VersionResponse } from '../history/history.dto.js';
import { ArtistResponse } from './artist.dto.js';
import { ArtistsController } from './artists.controller.js';

/** The OpenAPI description of the artists API. */
export const ARTISTS_API = describeApi(
  ArtistsController,
  { kind: 'resource', tag: 'Artists', pathParams: { id: idSchema('art', 'The artist.') } },
  {
    list: {
      operationId: 'listArtists',
      summary: 'Search artists',
      description: 'Values of one filter are alternatives; all filters must hold.',
      response: pageOrIdsSchema(ArtistResponse),
    },
    get: {
      operationId: 'getArtist',
      summary: 'Look up an artist',
      response: ArtistResponse,
      errors: [createNotFoundError('artist'), createGoneError('artist')],
    },
    listVersions: {
      operationId: 'listArtistVersions',
      summary: 'Look at the history of an artist',
      description:
        'The newest version first. What an operator brought in has no history until the first accepted edit.',
      response: pageSchema(VersionResponse),
      errors: [createNotFoundError('artist'), createGoneError('artist')],
    },
  },
);
