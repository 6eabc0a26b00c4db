import { idSchema } from '../../../platform/database/id-schema.js';
import {
  ApiSchema,
  OmitFields,
  OptionalResponseField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import { ChangesQuery, RecordChange } from '../../changes/change-page.dto.js';
import { MarkerResponse } from '../marker.dto.js';
import { FieldsParam } from '../../../platform/validation/response-fields.js';

/** A marker in the feed of changes. */
@ApiSchema('SyncedMarker', 'An artwork or a place in the feed of changes: without `openEditCount`.')
export class SyncedMarker extends OmitFields(MarkerResponse, ['openEditCount', 'distanceMeters']) {}

/** A change of a marker. */
@ApiSchema('MarkerChange', 'A change of a marker, with the newest state of the marker.')
export class MarkerChange extends RecordChange {
  @ResponseField(idSchema('mrk', 'Id of the marker.'))
  id!: string;

  @OptionalResponseField({ dto: SyncedMarker, description: 'The marker. Only with `upserted`.' })
  marker?: SyncedMarker;
}

/** Maps the response of a marker to the body of a change. */
export function toSyncedMarker({ openEditCount: _, ...synced }: MarkerResponse): SyncedMarker {
  return synced;
}

/** The query parameters of the feed of changes of markers. */
export class MarkerChangesQuery extends ChangesQuery {
  @FieldsParam(SyncedMarker, ['id', 'title', 'location'])
  fields?: string[];
}
