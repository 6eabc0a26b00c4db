import { BLOCKED, refused } from '../../accounts/account-permissions.js';
import {
  type AddedItems,
  AddItems,
  ChangeCollection,
  type CollectionItemResponse,
  type CollectionResponse,
  CollectionsQuery,
  CreateCollection,
  NewItem,
  RemoveItems,
  type WrittenCollection,
} from '../../collections/collection.dto.js';
import { VISIBILITIES } from '../../collections/collection.entity.js';
import { CollectionsController } from '../../collections/collections.controller.js';
import type { CollectionWithItems } from '../../collections/collections.service.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { describe } from './describe.js';
import { ARTWORK_SUMMARY, GEOJSON } from './map-schemas.js';
import { PAGE_MEMBER, pageOf, PAGING } from './paging.js';
import { PERSON } from './people.js';
import { idOf, listOf, moment, nullable, object, oneOf, optional, record, text, whole } from './schema.js';
import { body, query, type Told } from './validated.js';

query(CollectionsQuery, {
  ...PAGING,
  visibility: ['Those that everybody may see, or those that nobody else may.', 'private'],
  containsMarkerId: ['Those with this artwork in them.', 'mrk_01JDEM00000000000000000052'],
});
query(RemoveItems, { markerIds: ['Which artworks are taken out.', ['mrk_01JDEM00000000000000000005']] });

const FIELDS: Record<'name' | 'description' | 'visibility', Told> = {
  name: ['What it is called, on one line.', 'Doors'],
  description: ['What it is about.', 'Painted doors, and the walls around them.'],
  visibility: ['Who may see it: everybody, or the person alone. Private unless said.', 'public'],
};
body(CreateCollection, FIELDS, 'A new collection.');
body(ChangeCollection, FIELDS, 'What is to be changed of a collection. What is left out stays as it is.');
body(
  NewItem,
  { markerId: ['The artwork.', 'mrk_01JDEM00000000000000000005'], note: ['A word about it.', 'Before nine.'] },
  'An artwork to be added.',
);
body(AddItems, { items: ['In the order in which they are added.'] }, 'Artworks to be added to a collection.');

const MEMBERS = {
  id: idOf('col'),
  name: text('What it is called.', 'Everything by the water'),
  description: nullable(text('What it is about, in plain text.', 'Bring dry shoes.')),
  visibility: oneOf(VISIBILITIES, 'Who may see it.', 'public'),
  owner: PERSON,
  itemCount: whole('How many artworks are in it; those that were deleted since are still counted.', 6),
  version: whole('Counts its changes, from 1.', 3, 1),
  createdAt: moment('When it was made.'),
  updatedAt: moment('When it was changed last.'),
};

const COLLECTION = record<CollectionResponse>('Collection', 'A list of artworks that a person keeps.', MEMBERS);

const ITEM = record<CollectionItemResponse>('CollectionItem', 'An artwork in a collection.', {
  addedAt: moment('When it was added.'),
  note: nullable(text('What its owner says about it.', 'Before nine.')),
  artwork: ARTWORK_SUMMARY,
});

const WITH_ITEMS = record<CollectionWithItems>('CollectionWithItems', 'A collection with a page of its items.', {
  ...MEMBERS,
  items: listOf(ITEM, 'In the order of the list, without artworks that were deleted.'),
  page: PAGE_MEMBER,
});

const WRITTEN = record<WrittenCollection>(
  'WrittenCollection',
  'What was written, and the version now. All of the collection, where the token holds `collections:read`.',
  {
    id: MEMBERS.id,
    version: MEMBERS.version,
    name: optional(MEMBERS.name),
    description: optional(MEMBERS.description),
    visibility: optional(MEMBERS.visibility),
    owner: optional(MEMBERS.owner),
    itemCount: optional(MEMBERS.itemCount),
    createdAt: optional(MEMBERS.createdAt),
    updatedAt: optional(MEMBERS.updatedAt),
  },
);

const ADDED = record<AddedItems>('AddedItems', 'What came of adding.', {
  notFound: listOf(text('An id.', 'mrk_nowhere'), 'Ids that are no marker’s, or a deleted one’s.'),
  collection: object<AddedItems['collection']>('What it was added to.', { id: idOf('col'), version: MEMBERS.version }),
});

const WRITE_REFUSALS = [
  refused(BLOCKED),
  refused({ reason: 'not_owner', sentence: 'Only the person whose collection this is can change it.' }),
  notFound('collection'),
];

describe(
  CollectionsController,
  {
    tag: 'Collections',
    path: { id: idOf('col', 'The collection.'), markerId: idOf('mrk', 'The artwork.') },
  },
  {
    list: {
      id: 'listCollections',
      summary: "List the person's collections",
      description: 'Private ones too, the latest changed first.',
      answer: pageOf(COLLECTION),
    },
    get: {
      id: 'getCollection',
      summary: 'Look at a collection',
      description:
        'A public one needs no token. A token that is sent must be good, though. With `collections:read` the person sees their own private ones.',
      answer: WITH_ITEMS,
      also: GEOJSON,
      optionalScope: 'collections:read',
      refusals: [notFound('collection')],
    },
    create: {
      id: 'createCollection',
      summary: 'Make a collection',
      answer: WRITTEN,
      bodies: { private: { name: 'Doors' }, public: { name: 'Doors', description: null, visibility: 'public' } },
      refusals: [refused(BLOCKED), new ApiError(422, 'limit_reached', 'A person can have 200 collections.')],
    },
    change: {
      id: 'changeCollection',
      summary: 'Change a collection',
      answer: WRITTEN,
      bodies: { publish: { visibility: 'public' }, rename: { name: 'Doors and gates' } },
      refusals: WRITE_REFUSALS,
    },
    delete: {
      id: 'deleteCollection',
      summary: 'Delete a collection',
      description: 'With all that is in it; the artworks stay on the map.',
      refusals: WRITE_REFUSALS,
    },
    addItems: {
      id: 'addToCollection',
      summary: 'Add artworks to a collection',
      description: 'What is there already stays where it is.',
      answer: ADDED,
      bodies: { one: { items: [{ markerId: 'mrk_01JDEM00000000000000000005', note: 'Before nine.' }] } },
      refusals: [
        ...WRITE_REFUSALS,
        new ApiError(422, 'not_an_artwork', 'mrk_01JDEM0000000000000000006A is a place; a collection holds artworks.'),
        new ApiError(422, 'limit_reached', 'A collection can hold 1000 artworks.'),
      ],
    },
    removeItems: {
      id: 'removeFromCollection',
      summary: 'Take artworks out of a collection',
      description: 'Up to 100 at once. What is not in it needs nothing done.',
      refusals: WRITE_REFUSALS,
    },
    removeItem: {
      id: 'removeArtworkFromCollection',
      summary: 'Take one artwork out of a collection',
      description: 'Where it is not in it, nothing needs to be done.',
      refusals: WRITE_REFUSALS,
    },
  },
);
