import { FieldsParam } from '../../../platform/validation/response-fields.js';
import { ChangesQuery } from '../../changes/changes-query.dto.js';
import { SyncedArtist } from './artist-change.dto.js';

/** The query parameters of the feed of changes of artists. */
export class ArtistChangesQuery extends ChangesQuery {
  @FieldsParam(SyncedArtist, ['id', 'name'])
  fields?: string[];
}
