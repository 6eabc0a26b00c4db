import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { FieldChange } from '../history/entity-version.entity.js';
import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/id-schema.js';
import {
  ApiSchema,
  InlineApiSchema,
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
@InlineApiSchema('The app through which it was suggested.')
export class EditClient {
  @ResponseField(idSchema('app'))
  id!: string;

  @ResponseField(stringSchema('Its name.', 'WallWalker'))
  name!: string;
}

/** An edit. */
@ApiSchema('Edit', 'A change that a person suggested, through an app.')
export class EditResponse {
  @ResponseField(idSchema('edt'))
  id!: string;

  @ResponseField(enumSchema(EDIT_TYPES, 'What it would do.', 'update'))
  type!: EditType;

  @ResponseField(enumSchema(EDIT_STATUSES, '`open` until it is decided; `accepted` may become `reverted`.'))
  status!: EditStatus;

  @ResponseField(enumSchema(TARGET_TYPES, 'What it is about.'))
  targetType!: TargetType;

  @ResponseField(
    nullable(stringSchema('The artwork or artist; `null` until the creation of one is accepted.', EXAMPLE_TARGET_ID)),
  )
  targetId!: string | null;

  @ResponseField(nullable(integerSchema('The version that its author looked at.', 4, 1)))
  baseVersion!: number | null;

  @ResponseField(nullable(stringSchema('Where the target lies; artists lie in no region.', 'reg_halvenstad')))
  regionId!: string | null;

  @ResponseField(arraySchema(FieldChange, 'Each field as it was when it was suggested, and as it should be.'))
  changes!: FieldChange[];

  @ResponseField(nullable(stringSchema('What its author says.', 'The number is on the door.')))
  comment!: string | null;

  @ResponseField(nullable(stringSchema('Where its author has it from.', null)))
  sourceUrl!: string | null;

  @ResponseField(PersonResponse)
  author!: PersonResponse;

  @ResponseField(EditClient)
  client!: EditClient;

  @ResponseField(dateTimeSchema('When it was suggested.'))
  createdAt!: string;

  @ResponseField(nullable({ ...dateTimeSchema('When it was decided.'), examples: [null] }))
  decidedAt!: string | null;

  @ResponseField(nullable(PersonResponse))
  decidedBy!: PersonResponse | null;

  @ResponseField(nullable(stringSchema('What the reviewer says.', null)))
  decisionComment!: string | null;

  @ResponseField(
    nullable({
      type: 'integer',
      description: 'The version of the target that accepting it made.',
      examples: [null],
    }),
  )
  resultVersion!: number | null;

  @ResponseField(linkedEditSchema('The edit that this one took the place of.'))
  supersedes!: string | null;

  @ResponseField(linkedEditSchema('The edit that this one undoes.'))
  reverts!: string | null;

  @ResponseField(linkedEditSchema('The edit that undid this one.'))
  revertedBy!: string | null;
}

/** Response of a write: id, status and versions; the full edit only if the app may read edits. */
@ApiSchema('WrittenEdit', 'What became of an edit. All of it, where the token holds `edits:read`.')
export class EditWriteResponse extends PartialResponse(EditResponse, ['id', 'status', 'targetId', 'resultVersion']) {}

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
    client: { id: edit.app.id, name: edit.app.name },
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
export function toEditWriteResponse(caller: Caller, edit: Edit): EditWriteResponse {
  if (caller.scopes.has('edits:read')) return toEditResponse(edit);
  const { id, status, targetId, resultVersion } = edit;
  return { id, status, targetId, resultVersion };
}
