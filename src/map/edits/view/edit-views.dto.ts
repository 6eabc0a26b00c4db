import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../../platform/validation/is-optional-not-null.decorator.js';
import { IsInteger } from '../../../platform/validation/numbers.decorator.js';
import { Nested } from '../../../platform/validation/nested.decorator.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { PageQuery } from '../../../platform/validation/page-query.dto.js';
import { IsCsvArray, IsRfc3339 } from '../../../platform/validation/query-values.decorator.js';
import { IsText } from '../../../platform/validation/text.decorator.js';
import type { BoundingBox } from '../../regions/geo.js';
import { BOUNDING_BOX_SCHEMA, IsBoundingBox } from '../../regions/is-bounding-box.decorator.js';
import type { MergeState } from '../rules/edit-merge.js';
import { EDIT_ACTIONS, type EditAction } from '../rules/edit-status.js';
import { EditResponse } from '../edit.dto.js';
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
  InlineApiSchema,
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
import { FIELD_VALUE_SCHEMA, FieldChange, type FieldValue } from '../../history/entity-version.entity.js';

/** Filters for the list of a person's own edits. */
export class MyEditsQuery extends PageQuery {
  @RequestField('How they stand.', ['open'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @RequestField('What they would do.', ['update'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_TYPES, { each: true })
  type?: EditType[];

  @RequestField('What they are about.', 'artwork')
  @IsOptional()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('The artwork or artist.', 'mrk_01JDEM00000000000000000015')
  @IsOptional()
  @IsText(1, 40)
  targetId?: string;

  @RequestField('Suggested at this moment or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  createdSince?: Date;

  @RequestField('Suggested, decided or reverted at this moment or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @RequestField('The latest first, by this; `createdAt` unless said.', 'updatedAt')
  @IsOptional()
  @IsIn(['createdAt', 'updatedAt'])
  sort?: 'createdAt' | 'updatedAt';
}

/** Optional members of a view. */
const VIEW_INCLUDES = ['target', 'permissions'] as const;
export type ViewInclude = (typeof VIEW_INCLUDES)[number];

/** `mine`: the person's own edits. `reviewable`: the edits of others that the person may review. */
const EDIT_SELECTIONS = ['mine', 'reviewable'] as const;

/** Filter for views of edits. */
@ApiSchema('EditsFilter', 'Which edits are wanted.')
export class EditsFilter {
  @RequestField('The person’s own, or others’ that they could review: the queue, the oldest first.', 'reviewable')
  @IsIn(EDIT_SELECTIONS)
  which!: (typeof EDIT_SELECTIONS)[number];

  @RequestField('How they stand. Of what is reviewable, the open ones unless said.', ['open'])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @RequestField('What they are about.', 'artwork')
  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('The artwork or artist.', 'mrk_01JDEM00000000000000000015')
  @IsOptionalNotNull()
  @IsText(1, 40)
  targetId?: string;

  @RequestField('Where the target lies.', 'reg_halvenstad')
  @IsOptionalNotNull()
  @IsText(1, 40)
  regionId?: string;

  @RequestField('West, south, east, north: where the target lies, or would.', [4.9, 52, 5.2, 52.2], BOUNDING_BOX_SCHEMA)
  @IsOptionalNotNull()
  @IsBoundingBox()
  bbox?: BoundingBox;

  @RequestField('Suggested at this moment or later.', '2026-11-20T08:00:00Z')
  @IsOptionalNotNull()
  @IsRfc3339()
  createdSince?: Date;
}

/** Selection of edits to view: either ids or a filter. */
@ApiSchema('ViewEditsRequest', 'Which edits are looked at: `ids` or a `filter`, one of the two.')
export class ViewEditsRequest {
  @RequestField('These edits, in this order. Not together with `filter`.', ['edt_01JDEM00000000000000000013'])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids?: string[];

  @RequestField('Those that a filter finds.')
  @IsOptionalNotNull()
  @Nested(() => EditsFilter)
  filter?: EditsFilter;

  @RequestField('What is shown besides.', ['target', 'permissions'])
  @IsOptionalNotNull()
  @IsArray()
  @ArrayUnique()
  @IsIn(VIEW_INCLUDES, { each: true })
  include?: ViewInclude[];

  @RequestField('How many a page holds.', 20)
  @IsInteger(1, 100)
  limit: number = 20;

  @RequestField('The `nextCursor` of the page before, with the same filters and order.')
  @IsOptional()
  @IsString()
  cursor?: string | null;
}

/** Change of a field, with the field's current value. */
@ApiSchema('FieldDiff', 'What an edit would do to a field, beside what is there now.')
export class FieldDiff extends FieldChange {
  @ResponseField(stringSchema('The name of the field, for people.', 'Address'))
  label!: string;

  @ResponseField(FIELD_VALUE_SCHEMA)
  current!: FieldValue;

  @ResponseField(enumSchema(['clean', 'alreadyApplied', 'conflict'], 'Whether it can be done as it stands.'))
  state!: MergeState;
}

/** The current state of the target of an edit. */
@InlineApiSchema('What it is about, as it is now.')
export class EditViewTarget {
  @ResponseField(stringSchema('Its id.', 'mrk_01JDEM00000000000000000010'))
  id!: string;

  @ResponseField(integerSchema('The version that it is at.', 4, 1))
  version!: number;

  @ResponseField(stringSchema('What it is called.', 'Tile by Tile'))
  title!: string;
}

/** An action, and whether the person may do it with this app. */
@InlineApiSchema('An action, and whether it would go through.')
export class EditViewPermission {
  @ResponseField(enumSchema(EDIT_ACTIONS, 'The action.', 'accept'))
  action!: EditAction;

  @ResponseField(booleanSchema('Whether the person may, and the app.', false))
  allowed!: boolean;

  @OptionalResponseField(stringSchema('Why not.', 'own_edit'))
  reason?: string;
}

/** An edit with a summary and the state of each change. */
@ApiSchema('EditView', 'An edit as it is looked at.')
export class EditView {
  @ResponseField(EditResponse)
  edit!: EditResponse;

  @ResponseField(
    stringSchema('The change as one line of plain text. Escape it before you show it as HTML.', 'Year: 2008 → 2007'),
  )
  summary!: string;

  @ResponseField(arraySchema(FieldDiff, 'Field by field.'))
  diff!: FieldDiff[];

  @ResponseField(booleanSchema('Whether the edit is open, and the same values have changed since.', false))
  conflicted!: boolean;

  @ResponseField(booleanSchema('Whether the account of who suggested it is blocked.', false))
  authorBlocked!: boolean;

  @OptionalResponseField(nullable(EditViewTarget))
  target?: EditViewTarget | null;

  @OptionalResponseField(arraySchema(EditViewPermission, 'What could be done with it.'))
  permissions?: EditViewPermission[];
}

/** A page of edits with their effects. */
@ApiSchema('EditViews', 'Edits as they are looked at.')
export class EditViewPage implements Page<EditView> {
  @ResponseField(arraySchema(EditView))
  data!: EditView[];

  @ResponseField(
    arraySchema(stringSchema('An id.', 'edt_unknown'), 'Ids that do not exist, or that the caller may not see.'),
  )
  missing!: string[];

  @ResponseField(PAGE_INFO_SCHEMA)
  page!: PageInfo;
}
