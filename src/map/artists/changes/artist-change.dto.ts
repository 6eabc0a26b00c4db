import { idSchema } from '../../../platform/database/ids.js';
import {
  ApiSchema,
  OmitFields,
  OptionalResponseField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import { ChangesQuery, RecordChange } from '../../changes/change-page.dto.js';
import { ArtistResponse, toArtistResponse } from '../artist.dto.js';
import type { Artist } from '../artist.entity.js';
import { FieldsParam } from '../../../platform/validation/response-fields.js';

/** An artist in the feed of changes. */
@ApiSchema('SyncedArtist', 'An artist in the feed of changes: without `artworkCount`.')
export class SyncedArtist extends OmitFields(ArtistResponse, ['artworkCount']) {}

/** A change of an artist. */
@ApiSchema('ArtistChange', 'A change of an artist, with the newest state of the artist.')
export class ArtistChange extends RecordChange {
  @ResponseField(idSchema('art', 'Id of the artist.'))
  id!: string;

  @OptionalResponseField({ dto: SyncedArtist, description: 'The artist. Only with `upserted`.' })
  artist?: SyncedArtist;
}

/** Maps a live artist to the body of a change. */
export function toSyncedArtist(artist: Artist): SyncedArtist {
  const { artworkCount: _, ...synced } = toArtistResponse(artist);
  return synced;
}

/** The query parameters of the feed of changes of artists. */
export class ArtistChangesQuery extends ChangesQuery {
  @FieldsParam(SyncedArtist, ['id', 'name'])
  fields?: string[];
}
