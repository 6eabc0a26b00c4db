import { IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsHttpsUrl, IsText } from '../../../platform/validation/text.decorator.js';
import { EDIT_TYPES, type EditType, MAX_VERSION, TARGET_TYPES, type TargetType } from '../edit.entity.js';

/** Suggestion of a change to an artwork or artist. */
export class SuggestEditRequest {
  @IsIn(EDIT_TYPES)
  type!: EditType;

  @IsIn(TARGET_TYPES)
  targetType!: TargetType;

  @IsOptional()
  @IsString()
  targetId?: string | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  baseVersion?: number | null;

  /**
   * New values of the target's fields; `null` clears a field. Validated by the DTO of the target
   * type.
   */
  @IsOptional()
  @IsObject()
  changes?: Record<string, unknown> | null;

  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;

  @IsOptional()
  @IsHttpsUrl()
  sourceUrl?: string | null;

  /** Id of the author's own open edit that this edit replaces. */
  @IsOptional()
  @IsString()
  supersedes?: string | null;
}
