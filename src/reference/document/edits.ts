import { BLOCKED, refused } from '../../accounts/account-permissions.js';
import { ArtistFields } from '../../artists/artist.dto.js';
import { EditsController } from '../../edits/edits.controller.js';
import { ApiError, gone, notFound } from '../../http/api-error.js';
import { invalidCursor } from '../../http/cursor.js';
import { invalidRequest } from '../../http/validation.pipe.js';
import { ArtworkFields } from '../../markers/marker.dto.js';
import { missingScope } from '../../scopes/missing-scope.js';
import { describe } from './describe.js';
import './edit-bodies.js';
import { ACCEPTED, EDIT, EDIT_VIEW, EDIT_VIEWS, EVALUATION, REJECTED, REVERTED, WRITTEN_EDIT } from './edit-schemas.js';
import { pageOf } from './paging.js';
import { idOf } from './schema.js';

const REVIEW_REFUSALS = [
  refused(BLOCKED),
  refused({ reason: 'own_edit', sentence: 'Nobody can accept, reject or revert an edit of their own.' }),
  refused({ reason: 'role_too_low', sentence: 'Only trusted members and moderators can review edits.' }),
  refused({ reason: 'region_not_assigned', sentence: 'This person does not review edits in this region.' }),
  notFound('edit'),
];

const field = { field: 'year', from: 2013, current: 2012, to: 2014 };
const conflict = (code: string, details: object[] = [field]): ApiError =>
  new ApiError(409, code, 'Somebody else has changed the same meanwhile.', { details });
const DELETED = new ApiError(409, 'target_deleted', 'This artwork was deleted meanwhile.');
const HAS_ARTWORKS = new ApiError(
  409,
  'artist_has_artworks',
  'An artist who has artworks on the map cannot be deleted.',
);
const NOT_OPEN = new ApiError(409, 'edit_not_open', 'This edit is accepted already.');
const UNKNOWN_ARTIST = new ApiError(422, 'unknown_artist', 'There is no artist art_01JDEM0000000000000000009Z.');

describe(
  EditsController,
  { tag: 'Edits', path: { id: idOf('edt', 'The edit.') } },
  {
    mine: {
      id: 'listMyEdits',
      summary: "List the person's edits",
      description: 'The latest first.',
      answer: pageOf(EDIT),
    },
    get: {
      id: 'getEdit',
      summary: 'Look at an edit',
      description:
        'The person’s own. Others’ only with `edits:review` besides, and where the person could review them; else 404.',
      answer: EDIT_VIEW,
      refusals: [notFound('edit')],
    },
    views: {
      id: 'viewEdits',
      summary: 'Look at many edits',
      description:
        'By `ids`, or by a `filter`. `which: reviewable` is the queue of a reviewer and needs `edits:review` besides.',
      answer: EDIT_VIEWS,
      bodies: {
        ids: { ids: ['edt_01JDEM00000000000000000013'] },
        queue: {
          filter: { which: 'reviewable', bbox: [4.9, 52, 5.2, 52.2] },
          include: ['target', 'permissions'],
          limit: 1,
        },
      },
      refusals: [
        invalidCursor(),
        invalidRequest([{ path: 'ids', code: 'not_together', message: 'Ask for either ids or a filter.' }]),
        missingScope('edits:review'),
      ],
    },
    suggest: {
      id: 'suggestEdit',
      summary: 'Suggest a change',
      description:
        'Another person decides on it: no app changes the map by itself. A person can have 50 open edits, trusted members 200, moderators 1000.',
      answer: WRITTEN_EDIT,
      models: [ArtworkFields, ArtistFields],
      bodies: {
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
      refusals: [
        refused(BLOCKED),
        notFound('artwork'),
        gone('artwork'),
        new ApiError(422, 'no_changes', 'This would change nothing.'),
        new ApiError(422, 'unsupported_target', 'This is a place; edits change artworks and artists.'),
        UNKNOWN_ARTIST,
        new ApiError(422, 'other_target', 'An edit takes the place of one that is about the same.'),
        new ApiError(422, 'limit_reached', 'A person can have 50 open edits. Wait until some are decided.'),
        conflict('edit_conflict'),
        new ApiError(409, 'duplicate_open_edit', 'You have suggested this already: edt_01JDEM00000000000000000013.'),
        NOT_OPEN,
      ],
    },
    evaluate: {
      id: 'evaluatePermissions',
      summary: 'Ask what could be done',
      description: 'Before a button is shown. It is advice: the write asks again.',
      answer: EVALUATION,
      bodies: {
        edit: { items: [{ editId: 'edt_01JDEM00000000000000000013' }] },
        target: { items: [{ targetType: 'artwork', targetId: 'mrk_01JDEM00000000000000000015' }] },
        creation: { items: [{ targetType: 'artist', type: 'create' }] },
      },
    },
    accept: {
      id: 'acceptEdit',
      summary: 'Accept an edit',
      description:
        'Makes the suggested change. Fields are compared one by one, so edits of different fields both land.',
      answer: ACCEPTED,
      bodies: { comment: { comment: 'Seen it.', expectedTargetVersion: 1 } },
      refusals: [...REVIEW_REFUSALS, NOT_OPEN, conflict('edit_conflict'), DELETED, HAS_ARTWORKS, UNKNOWN_ARTIST],
    },
    reject: {
      id: 'rejectEdit',
      summary: 'Reject an edit',
      answer: REJECTED,
      bodies: { comment: { comment: 'An advertisement.' } },
      refusals: [...REVIEW_REFUSALS, NOT_OPEN],
    },
    revert: {
      id: 'revertEdit',
      summary: 'Undo an accepted edit',
      description: 'By another edit that is its inverse, as long as nobody has changed the same since.',
      answer: REVERTED,
      bodies: { comment: { comment: "That is the neighbour's." } },
      refusals: [
        ...REVIEW_REFUSALS,
        refused({ reason: 'too_old', sentence: 'After 30 days, only moderators can revert an edit.' }),
        new ApiError(409, 'edit_not_accepted', 'This edit is open, so there is nothing to revert.'),
        conflict('revert_conflict', [{ ...field, editId: 'edt_01JDEM00000000000000000010' }]),
        DELETED,
        HAS_ARTWORKS,
        UNKNOWN_ARTIST,
      ],
    },
  },
);
