import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsInteger, IsOptionalNotNull, Nested } from '../../../platform/validation/members.decorator.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { PageQuery } from '../../../platform/validation/page-query.dto.js';
import { IsCsvArray, IsRfc3339 } from '../../../platform/validation/query-values.decorator.js';
import { IsText } from '../../../platform/validation/text.decorator.js';
import { BOUNDING_BOX_SCHEMA, type BoundingBox, IsBoundingBox } from '../../regions/geo.js';
import type { MergeState } from '../rules/edit-changes.js';
import { EDIT_ACTIONS, type EditAction } from '../rules/evaluate-edit.js';
import { EditResponse, SIMILAR_ARTWORKS_SCHEMA, type SimilarArtwork } from '../edit.dto.js';
import {
  EDIT_STATUSES,
  EDIT_TYPES,
  type EditStatus,
  type EditType,
  TARGET_TYPES,
  type TargetType,
} from '../edit.entity.js';
import { PAGE_INFO_SCHEMA, type PageInfo } from '../../../platform/database/page.dto.js';
import {
  ApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  enumSchema,
  integerSchema,
  nullable,
  stringSchema,
} from '../../../platform/openapi/json-schema.js';
import { describeFieldValue, FieldChange, type FieldValue } from '../../history/entity-version.entity.js';

/** Filters for the list of a person's own edits. */
export class MyEditsQuery extends PageQuery {
  @RequestField('Statuses of edits.', ['open'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @RequestField('Actions that edits suggest.', ['update'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_TYPES, { each: true })
  type?: EditType[];

  @RequestField('Type of the target.', 'artwork')
  @IsOptional()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('Id of the target.', 'mrk_01JDEM00000000000000000015')
  @IsOptional()
  @IsText(1, 40)
  targetId?: string;

  @RequestField('Only edits that were suggested at this time (RFC 3339) or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  createdSince?: Date;

  @RequestField(
    'Only edits that were suggested, decided or reverted at this time (RFC 3339) or later.',
    '2026-11-20T08:00:00Z',
  )
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @RequestField('Time by which the list is sorted, latest first. The default is `createdAt`.', 'updatedAt')
  @IsOptional()
  @IsIn(['createdAt', 'updatedAt'])
  sort?: 'createdAt' | 'updatedAt';
}

/** Optional members of a view. */
const VIEW_INCLUDES = ['target', 'permissions'] as const;
export type ViewInclude = (typeof VIEW_INCLUDES)[number];

/**
 * `mine`: the person's own edits. `reviewable`: the edits of others that the person may review.
 * `target`: the edits of one artwork or artist.
 */
const EDIT_SELECTIONS = ['mine', 'reviewable', 'target'] as const;

/** Filter for views of edits. */
@ApiSchema('EditFilter', 'Conditions for edits. An edit must meet all of them.')
export class EditFilter {
  @RequestField(
    '`mine`: edits of the person, latest first. `reviewable`: edits of others that the person may review, oldest first. `target`: the edits by everyone of the artwork or artist `targetId`, latest first.',
    'reviewable',
  )
  @IsIn(EDIT_SELECTIONS)
  which!: (typeof EDIT_SELECTIONS)[number];

  @RequestField('Statuses of edits. With `reviewable`, the default is `open`.', ['open'])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @RequestField('Type of the target.', 'artwork')
  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('Id of the target. Required with `target`.', 'mrk_01JDEM00000000000000000015')
  @IsOptionalNotNull()
  @IsText(1, 40)
  targetId?: string;

  @RequestField('Id of the region of the target.', 'reg_halvenstad')
  @IsOptionalNotNull()
  @IsText(1, 40)
  regionId?: string;

  @RequestField(
    'Bounding box of the current or suggested location, in degrees (WGS 84): west, south, east, north.',
    [4.9, 52, 5.2, 52.2],
    BOUNDING_BOX_SCHEMA,
  )
  @IsOptionalNotNull()
  @IsBoundingBox()
  bbox?: BoundingBox;

  @RequestField('Only edits that were suggested at this time (RFC 3339) or later.', '2026-11-20T08:00:00Z')
  @IsOptionalNotNull()
  @IsRfc3339()
  createdSince?: Date;

  @RequestField('Id of the author. Only with `reviewable`.', 'usr_01JDEM00000000000000000001')
  @IsOptionalNotNull()
  @IsText(1, 40)
  authorId?: string;

  @RequestField('Id of the app that sent the edit. Only with `reviewable`.', 'app_01JDEM00000000000000000001')
  @IsOptionalNotNull()
  @IsText(1, 40)
  clientId?: string;
}

/** Selection of edits to view: either ids or a filter. */
@ApiSchema('EditViewsRequest', 'A selection of edits: either `ids` or a `filter`.')
export class EditViewsRequest {
  @RequestField('Ids of edits: 1 to 100. The response keeps their order. Cannot be combined with `filter`.', [
    'edt_01JDEM00000000000000000013',
  ])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids?: string[];

  @RequestField('Filter for edits. Cannot be combined with `ids`.', { which: 'reviewable' })
  @IsOptionalNotNull()
  @Nested(() => EditFilter)
  filter?: EditFilter;

  @RequestField('Additional members of each view.', ['target', 'permissions'])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayUnique()
  @IsIn(VIEW_INCLUDES, { each: true })
  include?: ViewInclude[];

  @RequestField('Maximum number of edits on a page.', 20)
  @IsInteger(1, 100)
  limit: number = 20;

  @RequestField(
    'Position of the page: `nextCursor` of the page before. Send the same filter with it.',
    'WzE3MzI1LCJvYjMiXQ',
  )
  @IsOptional()
  @IsString()
  cursor?: string | null;
}

/** Change of a field, with the field's current value. */
@ApiSchema('FieldDiff', 'The change that an edit suggests for a field, with the current value of the field.')
export class FieldDiff extends FieldChange {
  @ResponseField(stringSchema('Name of the field, for people.', 'Address'))
  label!: string;

  @ResponseField(describeFieldValue('Current value of the field.'))
  current!: FieldValue;

  @ResponseField(
    enumSchema(
      ['clean', 'alreadyApplied', 'conflict'],
      'State of the change: `clean` can be applied, `alreadyApplied` is the current value, `conflict` needs a new edit.',
    ),
  )
  state!: MergeState;
}

/** The current state of the target of an edit. */
@ApiSchema('EditViewTarget', 'The current state of the target of an edit.')
export class EditViewTarget {
  @ResponseField(stringSchema('Id of the artwork or artist.', 'mrk_01JDEM00000000000000000010'))
  id!: string;

  @ResponseField(integerSchema('Current version.', 4, 1))
  version!: number;

  @ResponseField(stringSchema('Title of the artwork, or name of the artist.', 'Tile by Tile'))
  title!: string;

  @OptionalResponseField({
    type: 'boolean',
    enum: [true],
    description: 'Only if the target is deleted.',
    examples: [true],
  })
  deleted?: boolean;
}

/** An action, and whether the person may do it with this app. */
@ApiSchema('EditViewPermission', 'An action on an edit, and whether it is allowed.')
export class EditViewPermission {
  @ResponseField(enumSchema(EDIT_ACTIONS, 'Action on the edit.', 'accept'))
  action!: EditAction;

  @ResponseField(booleanSchema('Whether both the person and the app are allowed to perform the action.', false))
  allowed!: boolean;

  @OptionalResponseField(stringSchema('Reason why the action is not allowed.', 'own_edit'))
  reason?: string;
}

/** An edit with a summary and the state of each change. */
@ApiSchema('EditView', 'An edit, ready to show: with a summary, and each change compared with the current state.')
export class EditView {
  @ResponseField({ dto: EditResponse, description: 'The edit.' })
  edit!: EditResponse;

  @ResponseField(
    stringSchema('Changes as one line of plain text. Escape it before you show it as HTML.', 'Year: 2008 → 2007'),
  )
  summary!: string;

  @ResponseField(arraySchema(FieldDiff, 'Changes, one for each field.'))
  diff!: FieldDiff[];

  @ResponseField(
    booleanSchema(
      'Whether the edit is open and the same fields changed since it was suggested, or the target was deleted before a decision.',
      false,
    ),
  )
  conflicted!: boolean;

  @ResponseField(booleanSchema('Whether the account of the author is blocked.', false))
  authorBlocked!: boolean;

  @OptionalResponseField(SIMILAR_ARTWORKS_SCHEMA)
  similar?: SimilarArtwork[];

  @OptionalResponseField(
    nullable({ dto: EditViewTarget, description: 'Current state of the target. Only with `include: ["target"]`.' }),
  )
  target?: EditViewTarget | null;

  @OptionalResponseField(arraySchema(EditViewPermission, 'Actions on the edit. Only with `include: ["permissions"]`.'))
  permissions?: EditViewPermission[];
}

/** A page of edits with their effects. */
@ApiSchema('EditViewPage', 'A page of edit views.')
export class EditViewPage implements Page<EditView> {
  @ResponseField(arraySchema(EditView, 'Edit views of this page.'))
  data!: EditView[];

  @ResponseField(
    arraySchema(stringSchema('Id of an edit.', 'edt_unknown'), 'Ids that do not exist or that the caller cannot read.'),
  )
  missing!: string[];

  @ResponseField(PAGE_INFO_SCHEMA)
  page!: PageInfo;
}
