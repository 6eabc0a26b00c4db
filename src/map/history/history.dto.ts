import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/id-schema.js';
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
@ApiSchema('EntityVersion', 'What came of an artwork or artist in a version.')
export class VersionResponse {
  @ResponseField(integerSchema('Counted from 1.', 4, 1))
  version!: number;

  @ResponseField(enumSchema(['created', 'changed', 'deleted', 'restored'], 'What was done.', 'changed'))
  action!: VersionAction;

  @ResponseField(arraySchema(FieldChange, 'What it changed of the version before.'))
  changes!: FieldChange[];

  @ResponseField(nullable(idSchema('edt', 'The edit that made it; none for what an operator brought in.')))
  editId!: string | null;

  @ResponseField(nullable(PersonResponse))
  author!: PersonResponse | null;

  @ResponseField(dateTimeSchema('When.'))
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
