import { getSchemaPath } from '@nestjs/swagger';
import { ArtistFields } from '../../../map/artists/artist.dto.js';
import { EvaluatePermissionsRequest, PermissionItem } from '../../../map/edits/view/permission-evaluation.dto.js';
import { AcceptEditRequest, EditDecision, RejectEditRequest } from '../../../map/edits/review/edit-decision.dto.js';
import { SuggestEditRequest } from '../../../map/edits/suggest/suggest-edit.dto.js';
import { EditsFilter, MyEditsQuery, ViewEditsRequest } from '../../../map/edits/view/edit-views.dto.js';
import { ArtworkFields } from '../../../map/markers/marker.dto.js';
import { Location } from '../../../map/regions/location.dto.js';
import { PAGE_QUERY_FIELDS } from './page.openapi.js';
import { describeBody, describeQuery, type FieldDescription } from './validation-schema.js';

const EXAMPLE_EDIT_ID = 'edt_01JDEM00000000000000000013';
const EXAMPLE_MARKER_ID = 'mrk_01JDEM00000000000000000015';
const EXAMPLE_TIMESTAMP = '2026-11-20T08:00:00Z';

describeQuery(MyEditsQuery, {
  ...PAGE_QUERY_FIELDS,
  status: ['How they stand.', ['open']],
  type: ['What they would do.', ['update']],
  targetType: ['What they are about.', 'artwork'],
  targetId: ['The artwork or artist.', EXAMPLE_MARKER_ID],
  createdSince: ['Suggested at this moment or later.', EXAMPLE_TIMESTAMP],
  updatedSince: ['Suggested, decided or reverted at this moment or later.', EXAMPLE_TIMESTAMP],
  sort: ['The latest first, by this; `createdAt` unless said.', 'updatedAt'],
});

describeBody(
  EditsFilter,
  {
    which: ['The person’s own, or others’ that they could review: the queue, the oldest first.', 'reviewable'],
    status: ['How they stand. Of what is reviewable, the open ones unless said.', ['open']],
    targetType: ['What they are about.', 'artwork'],
    targetId: ['The artwork or artist.', EXAMPLE_MARKER_ID],
    regionId: ['Where the target lies.', 'reg_halvenstad'],
    bbox: ['West, south, east, north: where the target lies, or would.', [4.9, 52, 5.2, 52.2]],
    createdSince: ['Suggested at this moment or later.', EXAMPLE_TIMESTAMP],
  },
  'Which edits are wanted.',
);
describeBody(
  ViewEditsRequest,
  {
    ids: ['These edits, in this order. Not together with `filter`.', [EXAMPLE_EDIT_ID]],
    filter: ['Those that a filter finds.'],
    include: ['What is shown besides.', ['target', 'permissions']],
    limit: PAGE_QUERY_FIELDS.limit,
    cursor: PAGE_QUERY_FIELDS.cursor,
  },
  'Which edits are looked at: `ids` or a `filter`, one of the two.',
);

describeBody(
  Location,
  { lat: ['North of the equator, in degrees.', 52.1043], lon: ['East of Greenwich, in degrees.', 5.0266] },
  'A place, in degrees of WGS 84; it is kept to seven decimals.',
);
describeBody(
  ArtworkFields,
  {
    title: ['What it is called, on one line. A new artwork needs one.', 'The Fox That Waited for the Tram'],
    description: ['About it.', 'It has been waiting since 2012.'],
    status: ['Whether it is still there.', 'present'],
    medium: ['How it was made.', ['mural']],
    artistIds: ['Who made it.', ['art_01JDEM00000000000000000001']],
    year: ['When it was made: not after the next year.', 2012],
    location: ['Where it is. A new artwork needs one.'],
    address: ['The same in words, on one line.', 'Wolstraat 5, Halvenstad'],
    tags: ['Words for it, without commas.', ['fox', 'tram']],
    imageUrl: ['A picture of it, elsewhere.', 'https://images.example/fox-tram.jpg'],
  },
  'The fields of an artwork. `null` clears one.',
);
describeBody(
  ArtistFields,
  {
    name: ['The name they work under. A new artist needs one.', 'Ansa Kettu'],
    aliases: ['Other names.', ['Kettu']],
    country: ['Where they come from (ISO 3166-1).', 'FI'],
    bio: ['About them.', 'Paints foxes.'],
    links: ['Where there is more about them.', ['https://kettu.example/']],
    activeFrom: ['The first year of their work.', 2005],
    activeTo: ['The last.', 2020],
  },
  'The fields of an artist. `null` clears one.',
);

describeBody(
  SuggestEditRequest,
  {
    type: ['What should be done.', 'update'],
    targetType: ['With what.', 'artwork'],
    targetId: ['With which; not for `create`.', EXAMPLE_MARKER_ID],
    baseVersion: ['The version of it that the person looked at; not for `create`.', 1],
    changes: [
      'Only the fields that should change, as `targetType` says. Not for `delete`.',
      { address: 'Wolstraat 5, Halvenstad' },
      { anyOf: [ArtworkFields, ArtistFields].map((fields) => ({ $ref: getSchemaPath(fields) })) },
    ],
    comment: ['Why.', 'The number is on the door.'],
    sourceUrl: ['Where it is known from.', 'https://example.org/wolstraat'],
    supersedes: ['An open edit of the person’s own whose place it takes.', EXAMPLE_EDIT_ID],
  },
  'A change to be suggested.',
);

const COMMENT_FIELD: FieldDescription = ['What its author is told.', 'Seen it.'];
describeBody(EditDecision, { comment: COMMENT_FIELD }, 'What a reviewer may say.');
describeBody(
  AcceptEditRequest,
  { comment: COMMENT_FIELD, expectedTargetVersion: ['The version of the target that the reviewer saw.', 1] },
  'What a reviewer may say, and what they saw.',
);
describeBody(RejectEditRequest, { comment: ['Why: who is told no must learn it.', 'An advertisement.'] }, 'Why not.');

describeBody(
  PermissionItem,
  {
    editId: ['An edit.', EXAMPLE_EDIT_ID],
    targetType: ['What a target is, or a new one would be.', 'artwork'],
    targetId: ['A target.', EXAMPLE_MARKER_ID],
    type: ['For one that is yet to be made.', 'create'],
  },
  'An edit (`editId`), a target (`targetType`, `targetId`), or a creation (`targetType`, `type`).',
);
describeBody(EvaluatePermissionsRequest, { items: ['What is asked about.'] }, 'What is asked about.');
