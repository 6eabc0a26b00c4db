import { idSchema } from '../../platform/database/ids.js';
import { pageOrIdsSchema, pageSchema } from '../../platform/database/page.dto.js';
import { createGoneError, createNotFoundError } from '../../platform/errors/request-errors.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { VersionResponse } from '../history/history.dto.js';
import { ArtistResponse } from './artist.dto.js';
import { ArtistChangesController, ArtistsController } from './artists.controller.js';
import { createTooManyWordsError } from '../text-search/search-terms.js';
import { changePageSchema } from '../changes/change-page.dto.js';
import { createInvalidSyncTokenError, createSyncTokenExpiredError } from '../changes/sync-tokens.service.js';
import { ArtistChange } from './changes/artist-change.dto.js';

/** The OpenAPI description of the artists API. */
export const ARTISTS_API = describeApi(
  ArtistsController,
  { kind: 'resource', tag: 'Artists', pathParams: { id: idSchema('art', 'Id of the artist.') } },
  {
    list: {
      operationId: 'listArtists',
      summary: 'List artists',
      description: 'Searches artists. An artist must match all filters. Several values of one filter are alternatives.',
      response: pageOrIdsSchema(ArtistResponse, 'art_unknown'),
      errors: [createTooManyWordsError()],
    },
    get: {
      operationId: 'getArtist',
      summary: 'Get an artist',
      description: 'Returns an artist.',
      response: ArtistResponse,
      errors: [createNotFoundError('artist'), createGoneError('artist')],
    },
    listVersions: {
      operationId: 'listArtistVersions',
      summary: 'List the versions of an artist',
      description:
        'Returns the versions, newest first, also of a deleted artist. An imported artist has no versions until an edit is accepted.',
      response: pageSchema(VersionResponse),
      errors: [createNotFoundError('artist')],
    },
  },
);

/** The OpenAPI description of the feed of changes of artists. */
export const ARTIST_CHANGES_API = describeApi(
  ArtistChangesController,
  { kind: 'resource', tag: 'Artists' },
  {
    list: {
      operationId: 'listArtistChanges',
      summary: 'List the changes of artists',
      description:
        'Returns the artists that were created, changed, deleted or restored since the last request, so that an app ' +
        'keeps its own copy. Without `since`, it begins with all artists.',
      response: changePageSchema(ArtistChange),
      errors: [createInvalidSyncTokenError(), createSyncTokenExpiredError()],
    },
  },
);
