import type {
  ActionPermission,
  EvaluatePermissionsResponse,
} from '../../../map/edits/view/permission-evaluation.dto.js';
import type { AcceptEditResponse, RevertEditResponse } from '../../../map/edits/review/edit-decision.dto.js';
import { EDIT_ACTIONS } from '../../../map/edits/rules/edit-status.js';
import type { EditView, EditViewPage, FieldDiff } from '../../../map/edits/view/edit-views.dto.js';
import type { EditResponse, EditWriteResponse } from '../../../map/edits/edit.dto.js';
import { EDIT_STATUSES, EDIT_TYPES, TARGET_TYPES } from '../../../map/edits/edit.entity.js';
import { SCOPES } from '../../../identity/scopes/scopes.js';
import { CHANGE, CHANGE_PROPERTIES, FIELD_VALUE } from './history.openapi.js';
import { PAGE_INFO_PROPERTY } from './page.openapi.js';
import { PERSON } from './person.openapi.js';
import {
  booleanSchema,
  idSchema,
  arraySchema,
  dateTimeSchema,
  nullable,
  objectSchema,
  enumSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';

const targetIdSchema = (description: string): JsonSchema => stringSchema(description, 'mrk_01JDEM00000000000000000010');
const nullableWithNullExample = (schema: JsonSchema): JsonSchema => nullable({ ...schema, examples: [null] });

const EDIT_PROPERTIES = {
  id: idSchema('edt'),
  type: enumSchema(EDIT_TYPES, 'What it would do.', 'update'),
  status: enumSchema(EDIT_STATUSES, '`open` until it is decided; `accepted` may become `reverted`.'),
  targetType: enumSchema(TARGET_TYPES, 'What it is about.'),
  targetId: nullable(targetIdSchema('The artwork or artist; `null` until the creation of one is accepted.')),
  baseVersion: nullable(integerSchema('The version that its author looked at.', 4, 1)),
  regionId: nullable(stringSchema('Where the target lies; artists lie in no region.', 'reg_halvenstad')),
  changes: arraySchema(CHANGE, 'Each field as it was when it was suggested, and as it should be.'),
  comment: nullable(stringSchema('What its author says.', 'The number is on the door.')),
  sourceUrl: nullableWithNullExample({ type: 'string', description: 'Where its author has it from.' }),
  author: PERSON,
  client: objectSchema<EditResponse['client']>('The app through which it was suggested.', {
    id: idSchema('app'),
    name: stringSchema('Its name.', 'WallWalker'),
  }),
  createdAt: dateTimeSchema('When it was suggested.'),
  decidedAt: nullableWithNullExample({ type: 'string', format: 'date-time', description: 'When it was decided.' }),
  decidedBy: nullable(PERSON),
  decisionComment: nullableWithNullExample({ type: 'string', description: 'What the reviewer says.' }),
  resultVersion: nullableWithNullExample({
    type: 'integer',
    description: 'The version of the target that accepting it made.',
  }),
  supersedes: nullableWithNullExample(idSchema('edt', 'The edit that this one took the place of.')),
  reverts: nullableWithNullExample(idSchema('edt', 'The edit that this one undoes.')),
  revertedBy: nullableWithNullExample(idSchema('edt', 'The edit that undid this one.')),
};

export const EDIT = registerObjectSchema<EditResponse>(
  'Edit',
  'A change that a person suggested, through an app.',
  EDIT_PROPERTIES,
);

type AlwaysPresent = 'id' | 'status' | 'targetId' | 'resultVersion';
const { id, status, targetId, resultVersion, ...REST } = EDIT_PROPERTIES;
const OPTIONAL_EDIT_PROPERTIES = Object.fromEntries(
  Object.entries(REST).map(([name, schema]) => [name, optional(schema)]),
) as unknown as Record<Exclude<keyof EditResponse, AlwaysPresent>, { optional: JsonSchema }>;

export const WRITTEN_EDIT = registerObjectSchema<EditWriteResponse>(
  'WrittenEdit',
  'What became of an edit. All of it, where the token holds `edits:read`.',
  { id, status, targetId, resultVersion, ...OPTIONAL_EDIT_PROPERTIES },
);

const FIELD_DIFF = registerObjectSchema<FieldDiff>(
  'FieldDiff',
  'What an edit would do to a field, beside what is there now.',
  {
    ...CHANGE_PROPERTIES,
    label: stringSchema('The name of the field, for people.', 'Address'),
    current: FIELD_VALUE,
    state: enumSchema(['clean', 'alreadyApplied', 'conflict'], 'Whether it can be done as it stands.'),
  },
);

type Permission = NonNullable<EditView['permissions']>[number];

const PERMISSION = objectSchema<Permission>('An action, and whether it would go through.', {
  action: enumSchema(EDIT_ACTIONS, 'The action.', 'accept'),
  allowed: booleanSchema('Whether the person may, and the app.', false),
  reason: optional(stringSchema('Why not.', 'own_edit')),
});

const TARGET = objectSchema<NonNullable<EditView['target']>>('What it is about, as it is now.', {
  id: targetIdSchema('Its id.'),
  version: integerSchema('The version that it is at.', 4, 1),
  title: stringSchema('What it is called.', 'Tile by Tile'),
});

export const EDIT_VIEW = registerObjectSchema<EditView>('EditView', 'An edit as it is looked at.', {
  edit: EDIT,
  summary: stringSchema('In a line of plain text: whoever shows it as HTML escapes it.', 'Year: 2008 → 2007'),
  diff: arraySchema(FIELD_DIFF, 'Field by field.'),
  conflicted: booleanSchema('Whether it is open, and somebody has changed the same meanwhile.', false),
  authorBlocked: booleanSchema('Whether the account of who suggested it is blocked.', false),
  target: optional(nullable(TARGET)),
  permissions: optional(arraySchema(PERMISSION, 'What could be done with it.')),
});

export const EDIT_VIEWS = registerObjectSchema<EditViewPage>('EditViews', 'Edits as they are looked at.', {
  data: arraySchema(EDIT_VIEW),
  missing: arraySchema(stringSchema('An id.', 'edt_unknown'), 'Ids that do not exist, or that the caller may not see.'),
  page: PAGE_INFO_PROPERTY,
});

const ACTION_EVALUATION = registerObjectSchema<ActionPermission>(
  'ActionAnswer',
  'Whether an action would go through.',
  {
    allowed: booleanSchema('Whether the person may, and the app.', false),
    person: booleanSchema('Whether the person may.', true),
    app: booleanSchema('Whether the app has the scope.', false),
    reason: optional(stringSchema('Why not.', 'missing_scope')),
    requiredScope: optional(enumSchema(Object.keys(SCOPES), 'The scope that the app lacks.', 'edits:review')),
  },
);

const TARGET_ACTIONS = ['suggestCreate', 'suggestUpdate', 'suggestDelete', 'reviewUpdates', 'reviewDeletes'] as const;
type ActionName = (typeof EDIT_ACTIONS)[number] | (typeof TARGET_ACTIONS)[number];

const ITEM_EVALUATION = objectSchema<{
  editId?: string;
  targetType?: string;
  targetId?: string;
  type?: string;
  found: boolean;
  actions?: object;
}>('What could be done with an item.', {
  editId: optional(stringSchema('As it was asked for.', 'edt_01JDEM00000000000000000010')),
  targetType: optional(enumSchema(TARGET_TYPES, 'As it was asked for.')),
  targetId: optional(targetIdSchema('As it was asked for.')),
  type: optional(enumSchema(['create'], 'As it was asked for.')),
  found: booleanSchema('Whether there is such a thing that the caller may know of.', true),
  actions: optional(
    objectSchema<Partial<Record<ActionName, ActionPermission>>>(
      'The actions that there are for it.',
      Object.fromEntries(
        [...EDIT_ACTIONS, ...TARGET_ACTIONS].map((name) => [name, optional(ACTION_EVALUATION)]),
      ) as Record<ActionName, { optional: JsonSchema }>,
    ),
  ),
});

export const EVALUATION = registerObjectSchema<EvaluatePermissionsResponse>(
  'Evaluation',
  'What could be done, in the order asked for.',
  {
    data: arraySchema(ITEM_EVALUATION),
    quota: objectSchema<EvaluatePermissionsResponse['quota']>('How many edits of the person can be open at once.', {
      openEdits: integerSchema('How many are.', 3),
      openEditsMax: integerSchema('How many can be.', 50),
    }),
  },
);

const UPDATED_TARGET = objectSchema<AcceptEditResponse['target']>('What was changed.', {
  id: targetIdSchema('Its id.'),
  version: integerSchema('The version that it is at now.', 5, 1),
});

export const ACCEPT_EDIT_RESPONSE = registerObjectSchema<AcceptEditResponse>(
  'AcceptedEdit',
  'What came of accepting.',
  {
    edit: WRITTEN_EDIT,
    target: UPDATED_TARGET,
  },
);

export const REJECT_EDIT_RESPONSE = registerObjectSchema<{ edit: EditWriteResponse }>(
  'RejectedEdit',
  'What came of rejecting.',
  {
    edit: WRITTEN_EDIT,
  },
);

export const REVERT_EDIT_RESPONSE = registerObjectSchema<RevertEditResponse>(
  'RevertedEdit',
  'What came of reverting.',
  {
    edit: WRITTEN_EDIT,
    revertEdit: WRITTEN_EDIT,
    target: UPDATED_TARGET,
  },
);
