import { idSchema } from '../../../platform/database/ids.js';
import {
  ApiSchema,
  OmitFields,
  OptionalResponseField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import type { FeedRecord } from '../../changes/change-feed.service.js';
import { ChangesQuery, RecordChange } from '../../changes/change-page.dto.js';
import { MarkerResponse } from '../marker.dto.js';
import { FieldsParam, pickFields } from '../../../platform/validation/response-fields.js';

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

/** The last members of the response of a marker, see `toMarkerResponse`. */
const LAST_MEMBERS = /"version":(\d+),"openEditCount":\d+,("createdAt":"[^"]+","updatedAt":"([^"]+)"\})$/;

/**
 * Maps the JSON text of the response of a marker to its state in the feed. It parses the text only
 * for `fields`.
 */
export function toFeedRecord(text: string, fields: string[] | undefined): Required<FeedRecord> {
  const [members, version, times, updatedAt] = LAST_MEMBERS.exec(text)!;
  const synced = `${text.slice(0, -members.length)}"version":${version},${times}`;
  const shown = fields ? JSON.stringify(pickFields(JSON.parse(synced) as SyncedMarker, fields)) : synced;
  return { version: Number(version), updatedAt: updatedAt!, text: shown };
}

/** The query parameters of the feed of changes of markers. */
export class MarkerChangesQuery extends ChangesQuery {
  @FieldsParam(SyncedMarker, ['id', 'title', 'location'])
  fields?: string[];
}
