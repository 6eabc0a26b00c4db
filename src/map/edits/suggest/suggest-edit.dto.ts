import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { IsInteger } from '../../../platform/validation/members.decorator.js';
import { IsHttpsUrl, IsText } from '../../../platform/validation/text.decorator.js';
import { ApiSchema, RequestField, ResponseField } from '../../../platform/openapi/api-schema.decorator.js';
import { ArtistFields } from '../../artists/artist.dto.js';
import { ArtworkFields } from '../../markers/marker.dto.js';
import { EDIT_TYPES, type EditType, MAX_VERSION, TARGET_TYPES, type TargetType } from '../edit.entity.js';
import { stringSchema } from '../../../platform/openapi/json-schema.js';

/** Suggestion of a change to an artwork or artist. */
@ApiSchema('SuggestEditRequest', 'A suggested change of an artwork or artist.')
export class SuggestEditRequest {
  @RequestField('Action that the edit suggests.', 'update')
  @IsIn(EDIT_TYPES)
  type!: EditType;

  @RequestField('Type of the target. Places cannot be edited.', 'artwork')
  @IsIn(TARGET_TYPES)
  targetType!: TargetType;

  @RequestField(
    'Id of the target. Required for `update` and `delete`, not allowed for `create`.',
    'mrk_01JDEM00000000000000000015',
  )
  @IsOptional()
  @IsString()
  targetId?: string | null;

  @RequestField(
    'Version of the target that the person saw. Required for `update` and `delete`, not allowed for `create`.',
    1,
  )
  @IsOptional()
  @IsInteger(1, MAX_VERSION)
  baseVersion?: number | null;

  /**
   * New values of the target's fields; `null` clears a field. Validated by the DTO of the target
   * type.
   */
  @RequestField(
    'New values of the fields that change: fields of an artwork or of an artist, as `targetType` says. ' +
      'Not allowed for `delete`.',
    { address: 'Wolstraat 5, Halvenstad' },
    { type: undefined, anyOf: [{ dto: ArtworkFields }, { dto: ArtistFields }] },
  )
  @IsOptional()
  @IsObject()
  changes?: Record<string, unknown> | null;

  @RequestField('Reason for the change, for the reviewer: up to 1,000 characters.', 'The number is on the door.')
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;

  @RequestField('https URL of the source: up to 500 characters.', 'https://example.org/wolstraat')
  @IsOptional()
  @IsHttpsUrl()
  sourceUrl?: string | null;

  @RequestField(
    'Id of an open edit of the same person and target. The new edit replaces it.',
    'edt_01JDEM00000000000000000013',
  )
  @IsOptional()
  @IsString()
  supersedes?: string | null;
}

/** Response to the withdrawal of an edit. */
@ApiSchema('WithdrawnEdit', 'An edit that its author withdrew.')
export class WithdrawnEdit {
  @ResponseField(stringSchema('Id of the edit.', 'edt_01JDEM00000000000000000013'))
  id!: string;

  @ResponseField({
    type: 'string',
    enum: ['withdrawn'],
    description: 'Status of the edit.',
    examples: ['withdrawn'],
  })
  status!: 'withdrawn';

  @ResponseField({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Version of the target, which stays the same; `null` for a creation.',
    examples: [4],
  })
  version!: number | null;
}
