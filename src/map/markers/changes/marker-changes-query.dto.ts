import { FieldsParam } from '../../../platform/validation/response-fields.js';
import { ChangesQuery } from '../../changes/changes-query.dto.js';
import { SyncedMarker } from './marker-change.dto.js';

/** The query parameters of the feed of changes of markers. */
export class MarkerChangesQuery extends ChangesQuery {
  @FieldsParam(SyncedMarker, ['id', 'title', 'location'])
  fields?: string[];
}
