import { ACCOUNT_BLOCKED, EMAIL_UNCONFIRMED } from '../../identity/accounts/account-permissions.js';
import { createInsufficientScopeError } from '../../identity/scopes/bearer-token-errors.js';
import { createInvalidCursorError } from '../../platform/database/cursor-codec.js';
import { idSchema } from '../../platform/database/ids.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createInvalidRequestError, createNotFoundError } from '../../platform/errors/request-errors.js';
import { type Denial, denyPermission, toDomainError, toForbiddenError } from '../../platform/errors/denial.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { EditResponse, SuggestEditResponse } from './edit.dto.js';
import { createEditNotFoundError, createTargetGoneError } from './edit-errors.js';
import { EditsController } from './edits.controller.js';
import {
  AcceptEditResponse,
  DecideEditsResponse,
  RejectEditResponse,
  RevertEditResponse,
} from './review/edit-decision.dto.js';
import { ARTIST_HAS_ARTWORKS, EDIT_CONFLICT, REVERT_CONFLICT } from './rules/edit-changes.js';
import { WithdrawnEdit } from './suggest/suggest-edit.dto.js';
import { EditView, EditViewPage } from './view/edit-views.dto.js';
import { PermissionEvaluation } from './view/permission-evaluation.dto.js';

const REVIEW_ERRORS = [
  toForbiddenError(ACCOUNT_BLOCKED),
  toForbiddenError(denyPermission('own_edit', 'Authors cannot accept, reject or revert their own edits.')),
  toForbiddenError(denyPermission('role_too_low', 'Only trusted members and moderators can review edits.')),
  toForbiddenError(denyPermission('region_not_assigned', 'This person is not assigned to the region of this edit.')),
  createEditNotFoundError(),
];

const EXAMPLE_FIELD_CONFLICT = { field: 'year', from: 2013, current: 2012, to: 2014 };
const createConflictError = (denial: Denial, details: object[] = [EXAMPLE_FIELD_CONFLICT]): DomainError =>
  toDomainError({ ...denial, details }, 'conflict');
const TARGET_DELETED = new DomainError('conflict', 'target_deleted', 'The artwork that this edit changes was deleted.');
const EDIT_NOT_OPEN = new DomainError(
  'conflict',
  'edit_not_open',
  'This edit is already accepted. Only open edits can be accepted, rejected, replaced or withdrawn.',
);
const UNKNOWN_ARTIST = new DomainError(
  'unprocessable',
  'unknown_artist',
  'The artist art_01JDEM0000000000000000009Z does not exist.',
);

/** The OpenAPI description of the edits API. */
export const EDITS_API = describeApi(
  EditsController,
  { kind: 'resource', tag: 'Edits', pathParams: { id: idSchema('edt', 'Id of the edit.') } },
  {
    listMine: {
      operationId: 'listMyEdits',
      summary: 'List the edits of the person',
      description: 'Returns the edits that the person suggested through any app, latest first.',
      response: pageSchema(EditResponse),
    },
    get: {
      operationId: 'getEdit',
      summary: 'Get an edit',
      description:
        'Returns an edit of the person. An edit of another person also needs the scope `edits:review`, and the person ' +
        'must have the permission to review it; otherwise the status is 404.',
      response: EditView,
      errors: [createEditNotFoundError()],
    },
    listViews: {
      operationId: 'viewEdits',
      summary: 'List edit views',
      description:
        'Returns edits, selected by `ids` or by a `filter`, with everything that a page shows. The filter `which: reviewable` is the queue of a ' +
        'reviewer; it also needs the scope `edits:review`. The filter `which: target` shows who suggested which changes of an artwork or artist, ' +
        'without withdrawn edits, and without the comments of rejected ones. The operation changes nothing.',
      response: EditViewPage,
      bodyExamples: {
        ids: { ids: ['edt_01JDEM00000000000000000013'] },
        queue: {
          filter: { which: 'reviewable', bbox: [4.9, 52, 5.2, 52.2] },
          include: ['target', 'permissions'],
          limit: 1,
        },
      },
      errors: [
        createInvalidCursorError(),
        createInvalidRequestError([
          { path: 'ids', code: 'not_together', message: 'ids or filter is required. Send exactly one of them.' },
        ]),
        createInsufficientScopeError('edits:review'),
      ],
    },
    suggest: {
      operationId: 'suggestEdit',
      acceptsIdempotencyKey: true,
      summary: 'Suggest an edit',
      description:
        'Suggests a change of an artwork or artist. A reviewer decides on it; an app cannot change the map directly. ' +
        'A person can have up to 50 open edits, a trusted member 200, a moderator 1,000. Within an hour, a person can ' +
        'suggest 30 edits, 120 after 20 accepted ones, trusted members and moderators 600.',
      status: 201,
      response: SuggestEditResponse,
      bodyExamples: {
        update: {
          type: 'update',
          targetType: 'artwork',
          targetId: 'mrk_01JDEM00000000000000000015',
          baseVersion: 1,
          changes: { address: 'Wolstraat 5, Halvenstad' },
          comment: 'The number is on the door.',
        },
        create: {
          type: 'create',
          targetType: 'artwork',
          changes: { title: 'Two Herons', location: { lat: 52.1, lon: 5.01 }, medium: ['mural'] },
        },
        delete: { type: 'delete', targetType: 'artist', targetId: 'art_01JDEM00000000000000000018', baseVersion: 1 },
      },
      errors: [
        toForbiddenError(ACCOUNT_BLOCKED),
        toForbiddenError(EMAIL_UNCONFIRMED),
        createNotFoundError('artwork'),
        createTargetGoneError('artwork'),
        new DomainError('unprocessable', 'no_changes', 'changes must give at least one field a new value.'),
        new DomainError(
          'unprocessable',
          'unsupported_target',
          'targetId is a place. Edits can change only artworks and artists.',
        ),
        UNKNOWN_ARTIST,
        new DomainError(
          'unprocessable',
          'other_target',
          'supersedes must be an edit of the same target. A creation can replace only a creation.',
        ),
        new DomainError(
          'unprocessable',
          'limit_reached',
          'This person has the maximum of 50 open edits. Wait for decisions on some of them.',
        ),
        new DomainError(
          'rate_limited',
          'quota_exceeded',
          'This person suggested 30 edits within an hour, which is the maximum. Try again in 1200 seconds.',
          { retryAfterSeconds: 1200 },
        ),
        createConflictError(EDIT_CONFLICT),
        toDomainError(ARTIST_HAS_ARTWORKS, 'conflict'),
        new DomainError(
          'conflict',
          'duplicate_open_edit',
          'This person already has an open edit with the same changes: edt_01JDEM00000000000000000013.',
          { details: [{ editId: 'edt_01JDEM00000000000000000013' }] },
        ),
        EDIT_NOT_OPEN,
      ],
    },
    evaluatePermissions: {
      operationId: 'evaluatePermissions',
      summary: 'Evaluate permissions',
      description:
        'Evaluates the actions on each item, for example before the app shows a button. The write ' +
        'checks the permission again. The operation changes nothing.',
      response: PermissionEvaluation,
      bodyExamples: {
        edit: { items: [{ editId: 'edt_01JDEM00000000000000000013' }] },
        target: { items: [{ targetType: 'artwork', targetId: 'mrk_01JDEM00000000000000000015' }] },
        creation: { items: [{ targetType: 'artist', type: 'create' }] },
      },
    },
    accept: {
      operationId: 'acceptEdit',
      summary: 'Accept an edit',
      description:
        'Applies the suggested change to the target. Edits of different fields of one target do not conflict. After a ' +
        'conflict (409) the edit stays open.',
      response: AcceptEditResponse,
      bodyExamples: { comment: { comment: 'Seen it.', expectedTargetVersion: 1 } },
      errors: [
        ...REVIEW_ERRORS,
        EDIT_NOT_OPEN,
        createConflictError(EDIT_CONFLICT),
        TARGET_DELETED,
        toDomainError(ARTIST_HAS_ARTWORKS, 'conflict'),
        UNKNOWN_ARTIST,
      ],
    },
    decideMany: {
      operationId: 'decideEdits',
      summary: 'Decide on many edits',
      description:
        'Rejects or reverts up to 100 edits, each by the same rules as alone. An edit that cannot be decided has an ' +
        'error in its item, and does not prevent the others.',
      response: DecideEditsResponse,
      bodyExamples: {
        reject: { ids: ['edt_01JDEM00000000000000000013'], decision: 'reject', comment: 'An advertisement.' },
      },
      errors: [toForbiddenError(ACCOUNT_BLOCKED)],
    },
    withdraw: {
      operationId: 'withdrawEdit',
      summary: 'Withdraw an edit',
      description: 'The author takes back their own open edit. An edit of another person is 404.',
      response: WithdrawnEdit,
      errors: [toForbiddenError(ACCOUNT_BLOCKED), createEditNotFoundError(), EDIT_NOT_OPEN],
    },
    reject: {
      operationId: 'rejectEdit',
      summary: 'Reject an edit',
      description: 'Closes the edit without a change of the target. The author can read the comment.',
      response: RejectEditResponse,
      bodyExamples: { comment: { comment: 'An advertisement.' } },
      errors: [...REVIEW_ERRORS, EDIT_NOT_OPEN],
    },
    revert: {
      operationId: 'revertEdit',
      summary: 'Revert an accepted edit',
      description:
        'Applies the inverse change as a new edit. If the same fields changed since, the status is 409 with the code ' +
        '`revert_conflict`.',
      response: RevertEditResponse,
      bodyExamples: { comment: { comment: 'The wrong wall was changed.' } },
      errors: [
        ...REVIEW_ERRORS,
        toForbiddenError(
          denyPermission('too_old', 'Only moderators can revert an edit that was accepted more than 30 days ago.'),
        ),
        new DomainError('conflict', 'edit_not_accepted', 'This edit is open. Only accepted edits can be reverted.'),
        createConflictError(REVERT_CONFLICT, [{ ...EXAMPLE_FIELD_CONFLICT, editId: 'edt_01JDEM00000000000000000010' }]),
        TARGET_DELETED,
        toDomainError(ARTIST_HAS_ARTWORKS, 'conflict'),
        UNKNOWN_ARTIST,
      ],
    },
  },
);
