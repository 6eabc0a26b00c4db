import { describeApi } from '../../../platform/openapi/api-description.js';
import { changePageSchema } from '../../changes/change-page.dto.js';
import { createInvalidSyncTokenError, createSyncTokenExpiredError } from '../../changes/sync-token-errors.js';
import { MarkerChange } from './marker-change.dto.js';
import { MarkerChangesController } from './marker-changes.controller.js';

/** The OpenAPI description of the feed of changes of markers. */
export const MARKER_CHANGES_API = describeApi(
  MarkerChangesController,
  { kind: 'resource', tag: 'Markers' },
  {
    list: {
      operationId: 'listMarkerChanges',
      summary: 'List the changes of markers',
      description:
        'Returns the artworks and places that were created, changed, deleted or restored since the last request, so ' +
        'that an app keeps its own copy. Without `since`, it begins with all artworks and places. When an artist is ' +
        "renamed, the artist's artworks are returned with the same version and time.",
      response: changePageSchema(MarkerChange),
      errors: [createInvalidSyncTokenError(), createSyncTokenExpiredError()],
    },
  },
);
