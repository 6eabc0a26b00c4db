import { describeApi } from '../../../platform/openapi/api-description.js';
import { changePageSchema } from '../../changes/change-page.dto.js';
import { createInvalidSyncTokenError, createSyncTokenExpiredError } from '../../changes/sync-token-errors.js';
import { ArtistChange } from './artist-change.dto.js';
import { ArtistChangesController } from './artist-changes.controller.js';

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
