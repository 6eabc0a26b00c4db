import type { ActionAnswer } from '../../edits/edit-actions.js';
import type { Evaluation } from '../../edits/edit-evaluation.dto.js';
import type { Accepted, Reverted } from '../../edits/edit-reviews.service.js';
import { EDIT_ACTIONS } from '../../edits/edit-verdicts.service.js';
import type { EditView, EditViews, FieldDiff } from '../../edits/edit-views.dto.js';
import type { EditResponse, WrittenEdit } from '../../edits/edit.dto.js';
import { EDIT_STATUSES, EDIT_TYPES, TARGET_TYPES } from '../../edits/edit.entity.js';
import { SCOPES } from '../../scopes/catalogue.js';
import { CHANGE, CHANGE_MEMBERS, FIELD_VALUE } from './history.js';
import { PAGE_MEMBER } from './paging.js';
import { PERSON } from './people.js';
import {
  flag,
  idOf,
  listOf,
  moment,
  nullable,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  whole,
} from './schema.js';

const target = (description: string): Schema => text(description, 'mrk_01JDEM00000000000000000010');
const none = (schema: Schema): Schema => nullable({ ...schema, examples: [null] });

const MEMBERS = {
  id: idOf('edt'),
  type: oneOf(EDIT_TYPES, 'What it would do.', 'update'),
  status: oneOf(EDIT_STATUSES, '`open` until it is decided; `accepted` may become `reverted`.'),
  targetType: oneOf(TARGET_TYPES, 'What it is about.'),
  targetId: nullable(target('The artwork or artist; `null` until the creation of one is accepted.')),
  baseVersion: nullable(whole('The version that its author looked at.', 4, 1)),
  regionId: nullable(text('Where the target lies; artists lie in no region.', 'reg_halvenstad')),
  changes: listOf(CHANGE, 'Each field as it was when it was suggested, and as it should be.'),
  comment: nullable(text('What its author says.', 'The number is on the door.')),
  sourceUrl: none({ type: 'string', description: 'Where its author has it from.' }),
  author: PERSON,
  client: object<EditResponse['client']>('The app through which it was suggested.', {
    id: idOf('app'),
    name: text('Its name.', 'WallWalker'),
  }),
  createdAt: moment('When it was suggested.'),
  decidedAt: none({ type: 'string', format: 'date-time', description: 'When it was decided.' }),
  decidedBy: nullable(PERSON),
  decisionComment: none({ type: 'string', description: 'What the reviewer says.' }),
  resultVersion: none({ type: 'integer', description: 'The version of the target that accepting it made.' }),
  supersedes: none(idOf('edt', 'The edit that this one took the place of.')),
  reverts: none(idOf('edt', 'The edit that this one undoes.')),
  revertedBy: none(idOf('edt', 'The edit that undid this one.')),
};

export const EDIT = record<EditResponse>('Edit', 'A change that a person suggested, through an app.', MEMBERS);

type Always = 'id' | 'status' | 'targetId' | 'resultVersion';
const { id, status, targetId, resultVersion, ...REST } = MEMBERS;
const rest = Object.fromEntries(
  Object.entries(REST).map(([name, schema]) => [name, optional(schema)]),
) as unknown as Record<Exclude<keyof EditResponse, Always>, { optional: Schema }>;

export const WRITTEN_EDIT = record<WrittenEdit>(
  'WrittenEdit',
  'What became of an edit. All of it, where the token holds `edits:read`.',
  { id, status, targetId, resultVersion, ...rest },
);

const DIFF = record<FieldDiff>('FieldDiff', 'What an edit would do to a field, beside what is there now.', {
  ...CHANGE_MEMBERS,
  label: text('The name of the field, for people.', 'Address'),
  current: FIELD_VALUE,
  state: oneOf(['clean', 'alreadyApplied', 'conflict'], 'Whether it can be done as it stands.'),
});

type Permission = NonNullable<EditView['permissions']>[number];

const PERMISSION = object<Permission>('An action, and whether it would go through.', {
  action: oneOf(EDIT_ACTIONS, 'The action.', 'accept'),
  allowed: flag('Whether the person may, and the app.', false),
  reason: optional(text('Why not.', 'own_edit')),
});

const TARGET = object<NonNullable<EditView['target']>>('What it is about, as it is now.', {
  id: target('Its id.'),
  version: whole('The version that it is at.', 4, 1),
  title: text('What it is called.', 'Tile by Tile'),
});

export const EDIT_VIEW = record<EditView>('EditView', 'An edit as it is looked at.', {
  edit: EDIT,
  summary: text('In a line of plain text: whoever shows it as HTML escapes it.', 'Year: 2008 → 2007'),
  diff: listOf(DIFF, 'Field by field.'),
  conflicted: flag('Whether it is open, and somebody has changed the same meanwhile.', false),
  authorBlocked: flag('Whether the account of who suggested it is blocked.', false),
  target: optional(nullable(TARGET)),
  permissions: optional(listOf(PERMISSION, 'What could be done with it.')),
});

export const EDIT_VIEWS = record<EditViews>('EditViews', 'Edits as they are looked at.', {
  data: listOf(EDIT_VIEW),
  missing: listOf(text('An id.', 'edt_unknown'), 'Ids that do not exist, or that the caller may not see.'),
  page: PAGE_MEMBER,
});

const ACTION = record<ActionAnswer>('ActionAnswer', 'Whether an action would go through.', {
  allowed: flag('Whether the person may, and the app.', false),
  person: flag('Whether the person may.', true),
  app: flag('Whether the app has the scope.', false),
  reason: optional(text('Why not.', 'missing_scope')),
  requiredScope: optional(oneOf(Object.keys(SCOPES), 'The scope that the app lacks.', 'edits:review')),
});

const TARGET_ACTIONS = ['suggestCreate', 'suggestUpdate', 'suggestDelete', 'reviewUpdates', 'reviewDeletes'] as const;
type ActionName = (typeof EDIT_ACTIONS)[number] | (typeof TARGET_ACTIONS)[number];

const ITEM_ANSWER = object<{
  editId?: string;
  targetType?: string;
  targetId?: string;
  type?: string;
  found: boolean;
  actions?: object;
}>('What could be done with an item.', {
  editId: optional(text('As it was asked for.', 'edt_01JDEM00000000000000000010')),
  targetType: optional(oneOf(TARGET_TYPES, 'As it was asked for.')),
  targetId: optional(target('As it was asked for.')),
  type: optional(oneOf(['create'], 'As it was asked for.')),
  found: flag('Whether there is such a thing that the caller may know of.', true),
  actions: optional(
    object<Partial<Record<ActionName, ActionAnswer>>>(
      'The actions that there are for it.',
      Object.fromEntries([...EDIT_ACTIONS, ...TARGET_ACTIONS].map((name) => [name, optional(ACTION)])) as Record<
        ActionName,
        { optional: Schema }
      >,
    ),
  ),
});

export const EVALUATION = record<Evaluation>('Evaluation', 'What could be done, in the order asked for.', {
  data: listOf(ITEM_ANSWER),
  quota: object<Evaluation['quota']>('How many edits of the person can be open at once.', {
    openEdits: whole('How many are.', 3),
    openEditsMax: whole('How many can be.', 50),
  }),
});

const WRITTEN_TARGET = object<Accepted['target']>('What was changed.', {
  id: target('Its id.'),
  version: whole('The version that it is at now.', 5, 1),
});

export const ACCEPTED = record<Accepted>('AcceptedEdit', 'What came of accepting.', {
  edit: WRITTEN_EDIT,
  target: WRITTEN_TARGET,
});

export const REJECTED = record<{ edit: WrittenEdit }>('RejectedEdit', 'What came of rejecting.', {
  edit: WRITTEN_EDIT,
});

export const REVERTED = record<Reverted>('RevertedEdit', 'What came of reverting.', {
  edit: WRITTEN_EDIT,
  revertEdit: WRITTEN_EDIT,
  target: WRITTEN_TARGET,
});
