import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { IsInteger } from '../../../platform/validation/numbers.decorator.js';
import { IsHttpsUrl, IsText } from '../../../platform/validation/text.decorator.js';
import { ApiSchema, RequestField } from '../../../platform/openapi/api-schema.decorator.js';
import { ArtistFields } from '../../artists/artist.dto.js';
import { ArtworkFields } from '../../markers/marker.dto.js';
import { EDIT_TYPES, type EditType, MAX_VERSION, TARGET_TYPES, type TargetType } from '../edit.entity.js';

/** Suggestion of a change to an artwork or artist. */
@ApiSchema('SuggestEditRequest', 'A change to be suggested.')
export class SuggestEditRequest {
  @RequestField('What should be done.', 'update')
  @IsIn(EDIT_TYPES)
  type!: EditType;

  @RequestField('With what.', 'artwork')
  @IsIn(TARGET_TYPES)
  targetType!: TargetType;

  @RequestField('With which; not for `create`.', 'mrk_01JDEM00000000000000000015')
  @IsOptional()
  @IsString()
  targetId?: string | null;

  @RequestField('The version of it that the person looked at; not for `create`.', 1)
  @IsOptional()
  @IsInteger(1, MAX_VERSION)
  baseVersion?: number | null;

  /**
   * New values of the target's fields; `null` clears a field. Validated by the DTO of the target
   * type.
   */
  @RequestField(
    'Only the fields that should change, as `targetType` says. Not for `delete`.',
    { address: 'Wolstraat 5, Halvenstad' },
    { type: undefined, anyOf: [{ dto: ArtworkFields }, { dto: ArtistFields }] },
  )
  @IsOptional()
  @IsObject()
  changes?: Record<string, unknown> | null;

  @RequestField('Why.', 'The number is on the door.')
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;

  @RequestField('Where it is known from.', 'https://example.org/wolstraat')
  @IsOptional()
  @IsHttpsUrl()
  sourceUrl?: string | null;

  @RequestField('An open edit of the person’s own whose place it takes.', 'edt_01JDEM00000000000000000013')
  @IsOptional()
  @IsString()
  supersedes?: string | null;
}
