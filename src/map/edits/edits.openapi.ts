import { ACCOUNT_BLOCKED } from '../../identity/accounts/account-permissions.js';
import { createInsufficientScopeError } from '../../identity/scopes/bearer-token-errors.js';
import { createInvalidCursorError } from '../../platform/http/invalid-cursor.js';
import { idSchema } from '../../platform/database/id-schema.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { ApiError, createGoneError, createNotFoundError } from '../../platform/http/api-error.js';
import { createInvalidRequestError } from '../../platform/http/api-validation.pipe.js';
import { denyPermission, toForbiddenError } from '../../platform/http/denial.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { EditResponse, EditWriteResponse } from './edit.dto.js';
import { EditsController } from './edits.controller.js';
import { AcceptEditResponse, RejectEditResponse, RevertEditResponse } from './review/edit-decision.dto.js';
import { EditView, EditViewPage } from './view/edit-views.dto.js';
import { EvaluatePermissionsResponse } from './view/permission-evaluation.dto.js';

const REVIEW_ERRORS = [
  toForbiddenError(ACCOUNT_BLOCKED),
  toForbiddenError(denyPermission('own_edit', 'Nobody can accept, reject or revert an edit of their own.')),
  toForbiddenError(denyPermission('role_too_low', 'Only trusted members and moderators can review edits.')),
  toForbiddenError(denyPermission('region_not_assigned', 'This person does not review edits in this region.')),
  createNotFoundError('edit'),
];

const EXAMPLE_FIELD_CONFLICT = { field: 'year', from: 2013, current: 2012, to: 2014 };
const createConflictError = (code: string, details: object[] = [EXAMPLE_FIELD_CONFLICT]): ApiError =>
  new ApiError(409, code, 'Somebody else has changed the same meanwhile.', { details });
const TARGET_DELETED = new ApiError(409, 'target_deleted', 'This artwork was deleted meanwhile.');
const ARTIST_HAS_ARTWORKS = new ApiError(
  409,
  'artist_has_artworks',
  'An artist who has artworks on the map cannot be deleted.',
);
const EDIT_NOT_OPEN = new ApiError(409, 'edit_not_open', 'This edit is accepted already.');
const UNKNOWN_ARTIST = new ApiError(422, 'unknown_artist', 'There is no artist art_01JDEM0000000000000000009Z.');

/** The OpenAPI description of the edits API. */
export const EDITS_API = describeApi(
  EditsController,
  { kind: 'resource', tag: 'Edits', pathParams: { id: idSchema('edt', 'The edit.') } },
  {
    listMine: {
      operationId: 'listMyEdits',
      summary: "List the person's edits",
      description: 'The latest first.',
      response: pageSchema(EditResponse),
    },
    get: {
      operationId: 'getEdit',
      summary: 'Look at an edit',
      description:
        'The person’s own. Others’ only with `edits:review` besides, and where the person could review them; else 404.',
      response: EditView,
      errors: [createNotFoundError('edit')],
    },
    listViews: {
      operationId: 'viewEdits',
      summary: 'Look at many edits',
      description:
        'By `ids`, or by a `filter`. `which: reviewable` is the queue of a reviewer and needs `edits:review` besides.',
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
        createInvalidRequestError([{ path: 'ids', code: 'not_together', message: 'Ask for either ids or a filter.' }]),
        createInsufficientScopeError('edits:review'),
      ],
    },
    suggest: {
      operationId: 'suggestEdit',
      summary: 'Suggest a change',
      description:
        'Another person decides on it: no app changes the map by itself. A person can have 50 open edits, trusted members 200, moderators 1000.',
      status: 201,
      response: EditWriteResponse,
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
        createNotFoundError('artwork'),
        createGoneError('artwork'),
        new ApiError(422, 'no_changes', 'This would change nothing.'),
        new ApiError(422, 'unsupported_target', 'This is a place; edits change artworks and artists.'),
        UNKNOWN_ARTIST,
        new ApiError(422, 'other_target', 'An edit takes the place of one that is about the same.'),
        new ApiError(422, 'limit_reached', 'A person can have 50 open edits. Wait until some are decided.'),
        createConflictError('edit_conflict'),
        new ApiError(409, 'duplicate_open_edit', 'You have suggested this already: edt_01JDEM00000000000000000013.'),
        EDIT_NOT_OPEN,
      ],
    },
    evaluatePermissions: {
      operationId: 'evaluatePermissions',
      summary: 'Ask what could be done',
      description: 'Before a button is shown. It is advice: the write asks again.',
      response: EvaluatePermissionsResponse,
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
        'Makes the suggested change. Fields are compared one by one, so edits of different fields both land.',
      response: AcceptEditResponse,
      bodyExamples: { comment: { comment: 'Seen it.', expectedTargetVersion: 1 } },
      errors: [
        ...REVIEW_ERRORS,
        EDIT_NOT_OPEN,
        createConflictError('edit_conflict'),
        TARGET_DELETED,
        ARTIST_HAS_ARTWORKS,
        UNKNOWN_ARTIST,
      ],
    },
    reject: {
      operationId: 'rejectEdit',
      summary: 'Reject an edit',
      response: RejectEditResponse,
      bodyExamples: { comment: { comment: 'An advertisement.' } },
      errors: [...REVIEW_ERRORS, EDIT_NOT_OPEN],
    },
    revert: {
      operationId: 'revertEdit',
      summary: 'Undo an accepted edit',
      description: 'Applies the inverse change as a new edit. Fails if the same values have changed since.',
      response: RevertEditResponse,
      bodyExamples: { comment: { comment: "That is the neighbour's." } },
      errors: [
        ...REVIEW_ERRORS,
        toForbiddenError(denyPermission('too_old', 'After 30 days, only moderators can revert an edit.')),
        new ApiError(409, 'edit_not_accepted', 'This edit is open, so there is nothing to revert.'),
        createConflictError('revert_conflict', [
          { ...EXAMPLE_FIELD_CONFLICT, editId: 'edt_01JDEM00000000000000000010' },
        ]),
        TARGET_DELETED,
        ARTIST_HAS_ARTWORKS,
        UNKNOWN_ARTIST,
      ],
    },
  },
);
