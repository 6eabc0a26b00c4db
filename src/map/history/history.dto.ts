import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/ids.js';
import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
  nullable,
} from '../../platform/openapi/json-schema.js';
import { type EntityVersion, FieldChange, type VersionAction } from './entity-version.entity.js';

/** A version of an artwork or artist, as apps read it: only the public members of its edit. */
@ApiSchema('EntityVersion', 'A version of an artwork or artist, with its changes.')
export class VersionResponse {
  @ResponseField(integerSchema('Number of the version. The first version is 1.', 4, 1))
  version!: number;

  @ResponseField(
    enumSchema(['created', 'changed', 'deleted', 'restored'], 'Action that created the version.', 'changed'),
  )
  action!: VersionAction;

  @ResponseField(arraySchema(FieldChange, 'Changes since the version before.'))
  changes!: FieldChange[];

  @ResponseField(nullable(idSchema('edt', 'Edit that created the version. `null` for data that an operator imported.')))
  editId!: string | null;

  @ResponseField(
    nullable({ dto: PersonResponse, description: 'Author of the edit. `null` for data that an operator imported.' }),
  )
  author!: PersonResponse | null;

  @ResponseField(dateTimeSchema('Time at which the version was created.'))
  at!: string;
}

/** Maps a version, loaded with its author, to its response. */
export function toVersionResponse({
  version,
  action,
  changes,
  editId,
  author,
  createdAt,
}: EntityVersion): VersionResponse {
  return {
    version,
    action,
    changes,
    editId,
    author: author && toPersonResponse(author),
    at: createdAt.toISOString(),
  };
}
