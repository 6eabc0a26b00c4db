import type { Actor } from '../../identity/scopes/caller.decorator.js';
import { FieldChange } from '../history/entity-version.entity.js';
import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/ids.js';
import {
  ApiSchema,
  OptionalResponseField,
  PartialResponse,
  ResponseField,
} from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
  type JsonSchema,
  nullable,
  stringSchema,
} from '../../platform/openapi/json-schema.js';
import {
  type Edit,
  EDIT_STATUSES,
  EDIT_TYPES,
  type EditStatus,
  type EditType,
  TARGET_TYPES,
  type TargetType,
} from './edit.entity.js';

const EXAMPLE_TARGET_ID = 'mrk_01JDEM00000000000000000010';

/** Returns the schema of the id of an edit that is `null` in most edits. */
function linkedEditSchema(description: string): JsonSchema {
  return nullable({ ...idSchema('edt', description), examples: [null] });
}

/** The app that suggested an edit. */
@ApiSchema('EditClient', 'The app that sent an edit.')
export class EditClient {
  @ResponseField(idSchema('app', 'Id of the app.'))
  id!: string;

  @ResponseField(stringSchema('Name of the app.', 'WallWalker'))
  name!: string;
}

/** An edit. */
@ApiSchema('Edit', 'A change of an artwork or artist that a person suggested through an app.')
export class EditResponse {
  @ResponseField(idSchema('edt', 'Id of the edit.'))
  id!: string;

  @ResponseField(enumSchema(EDIT_TYPES, 'Action that the edit suggests.', 'update'))
  type!: EditType;

  @ResponseField(
    enumSchema(
      EDIT_STATUSES,
      'Status. An edit is `open` until a reviewer decides on it or its author supersedes it. `withdrawn`: the author took it back or deleted the account, or the operator withdrew it with a block. `obsolete`: the target was deleted by another edit. `accepted` can become `reverted`.',
    ),
  )
  status!: EditStatus;

  @ResponseField(enumSchema(TARGET_TYPES, 'Type of the target.'))
  targetType!: TargetType;

  @ResponseField(
    nullable(stringSchema('Id of the target. `null` until the creation of a target is accepted.', EXAMPLE_TARGET_ID)),
  )
  targetId!: string | null;

  @ResponseField(nullable(integerSchema('Version of the target that the author saw. `null` for a creation.', 4, 1)))
  baseVersion!: number | null;

  @ResponseField(
    nullable(
      stringSchema('Id of the region of the target. `null` for artists and outside all regions.', 'reg_halvenstad'),
    ),
  )
  regionId!: string | null;

  @ResponseField(
    arraySchema(
      FieldChange,
      'Suggested changes: each field with its value at the time of the suggestion, and its new value.',
    ),
  )
  changes!: FieldChange[];

  @ResponseField(nullable(stringSchema('Comment of the author, as plain text.', 'The number is on the door.')))
  comment!: string | null;

  @ResponseField(nullable(stringSchema('https URL of the source.', null)))
  sourceUrl!: string | null;

  @ResponseField({ dto: PersonResponse, description: 'Person who suggested the edit.' })
  author!: PersonResponse;

  @ResponseField(
    nullable({
      dto: EditClient,
      description: 'App that sent the edit; null if a person reverted another edit on a page of the map.',
    }),
  )
  client!: EditClient | null;

  @ResponseField(dateTimeSchema('Time of the suggestion.'))
  createdAt!: string;

  @ResponseField(nullable({ ...dateTimeSchema('Time of the decision. `null` before.'), examples: [null] }))
  decidedAt!: string | null;

  @ResponseField(nullable({ dto: PersonResponse, description: 'Reviewer who decided. `null` before the decision.' }))
  decidedBy!: PersonResponse | null;

  @ResponseField(nullable(stringSchema('Comment of the reviewer, as plain text.', null)))
  decisionComment!: string | null;

  @ResponseField(
    nullable({
      type: 'integer',
      description: 'Version of the target after the acceptance. `null` before.',
      examples: [null],
    }),
  )
  resultVersion!: number | null;

  @ResponseField(linkedEditSchema('Id of the edit that this edit replaced.'))
  supersedes!: string | null;

  @ResponseField(linkedEditSchema('Id of the edit that this edit reverts.'))
  reverts!: string | null;

  @ResponseField(linkedEditSchema('Id of the edit that reverted this edit.'))
  revertedBy!: string | null;
}

/** Response of a write: id, status and versions; the full edit only if the app may read edits. */
@ApiSchema(
  'EditWriteResponse',
  'Ids, status and version of an edit after a write. With the scope `edits:read`, the whole edit.',
)
export class EditWriteResponse extends PartialResponse(EditResponse, ['id', 'status', 'targetId', 'resultVersion']) {}

/** Another artwork or suggestion that is probably the same. */
@ApiSchema('SimilarArtwork', 'An artwork on the map, or an open suggestion of one, that is probably the same.')
export class SimilarArtwork {
  @OptionalResponseField(idSchema('mrk', 'Id of the artwork, if it is on the map.'))
  targetId?: string;

  @OptionalResponseField(idSchema('edt', 'Id of the edit, if the artwork is suggested.'))
  editId?: string;

  @ResponseField({ type: 'number', minimum: 0, description: 'Distance in meters.', examples: [12.5] })
  distance!: number;
}

/** The schema of the artworks that a new artwork probably repeats. */
export const SIMILAR_ARTWORKS_SCHEMA = arraySchema(
  SimilarArtwork,
  'Only for a new artwork: others with nearly the same title within 30 m, nearest first. Absent if there are none.',
);

/** Response of a suggestion. */
@ApiSchema('SuggestEditResponse', 'The new edit: id, status and versions. With the scope `edits:read`, the whole edit.')
export class SuggestEditResponse extends EditWriteResponse {
  @OptionalResponseField(SIMILAR_ARTWORKS_SCHEMA)
  similar?: SimilarArtwork[];
}

/** Maps an edit, loaded with author, app and reviewer, to its response. */
export function toEditResponse(edit: Edit): EditResponse {
  const { id, type, status, targetType, targetId, baseVersion, regionId, changes, comment, sourceUrl } = edit;
  const { decisionComment, resultVersion, supersedes, reverts, revertedBy } = edit;
  return {
    id,
    type,
    status,
    targetType,
    targetId,
    baseVersion,
    regionId,
    changes,
    comment,
    sourceUrl,
    author: toPersonResponse(edit.author),
    client: edit.app && { id: edit.app.id, name: edit.app.name },
    createdAt: edit.createdAt.toISOString(),
    decidedAt: edit.decidedAt?.toISOString() ?? null,
    decidedBy: edit.decidedBy && toPersonResponse(edit.decidedBy),
    decisionComment,
    resultVersion,
    supersedes,
    reverts,
    revertedBy,
  };
}

/**
 * Maps an edit to the response of a write. Without `edits:read` it contains ids, status and
 * versions only, so that the scopes for writing and reviewing do not grant reading.
 */
export function toEditWriteResponse(actor: Actor, edit: Edit): EditWriteResponse {
  return restrictEditResponse(actor, toEditResponse(edit));
}

/** Returns a response of a write without the members that the app cannot read. */
export function restrictEditResponse(actor: Actor, response: EditWriteResponse): EditWriteResponse {
  if (actor.scopes.has('edits:read')) return response;
  const { id, status, targetId, resultVersion } = response;
  return { id, status, targetId, resultVersion };
}
