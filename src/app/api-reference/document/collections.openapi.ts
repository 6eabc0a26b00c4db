import { ACCOUNT_BLOCKED, toForbiddenError } from '../../../identity/accounts/account-permissions.js';
import {
  type AddCollectionItemsResponse,
  AddCollectionItemsRequest,
  UpdateCollectionRequest,
  type CollectionItemResponse,
  type CollectionResponse,
  CollectionsQuery,
  CreateCollectionRequest,
  NewCollectionItem,
  RemoveCollectionItemsQuery,
  type CollectionWithItemsResponse,
  type CollectionWriteResponse,
} from '../../../map/collections/collection.dto.js';
import { VISIBILITIES } from '../../../map/collections/collection.entity.js';
import { CollectionsController } from '../../../map/collections/collections.controller.js';
import { ApiError, notFound } from '../../../platform/http/api-error.js';
import { describeOperations } from './describe-operations.js';
import { ARTWORK_SUMMARY, GEOJSON_CONTENT } from './marker-responses.openapi.js';
import { PAGE_INFO_PROPERTY, pageSchema, PAGE_QUERY_FIELDS } from './page.openapi.js';
import { PERSON } from './person.openapi.js';
import {
  idSchema,
  arraySchema,
  dateTimeSchema,
  nullable,
  objectSchema,
  enumSchema,
  optional,
  registerObjectSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';
import { describeBody, describeQuery, type FieldDescription } from './validation-schema.js';

describeQuery(CollectionsQuery, {
  ...PAGE_QUERY_FIELDS,
  visibility: ['Those that everybody may see, or those that nobody else may.', 'private'],
  containsMarkerId: ['Those with this artwork in them.', 'mrk_01JDEM00000000000000000052'],
});
describeQuery(RemoveCollectionItemsQuery, {
  markerIds: ['Which artworks are taken out.', ['mrk_01JDEM00000000000000000005']],
});

const COLLECTION_FIELDS: Record<'name' | 'description' | 'visibility', FieldDescription> = {
  name: ['What it is called, on one line.', 'Doors'],
  description: ['What it is about.', 'Painted doors, and the walls around them.'],
  visibility: ['Who may see it: everybody, or the person alone. Private unless said.', 'public'],
};
describeBody(CreateCollectionRequest, COLLECTION_FIELDS, 'A new collection.');
describeBody(
  UpdateCollectionRequest,
  COLLECTION_FIELDS,
  'What is to be changed of a collection. What is left out stays as it is.',
);
describeBody(
  NewCollectionItem,
  { markerId: ['The artwork.', 'mrk_01JDEM00000000000000000005'], note: ['A word about it.', 'Before nine.'] },
  'An artwork to be added.',
);
describeBody(
  AddCollectionItemsRequest,
  { items: ['In the order in which they are added.'] },
  'Artworks to be added to a collection.',
);

const COLLECTION_PROPERTIES = {
  id: idSchema('col'),
  name: stringSchema('What it is called.', 'Everything by the water'),
  description: nullable(stringSchema('What it is about, in plain text.', 'Bring dry shoes.')),
  visibility: enumSchema(VISIBILITIES, 'Who may see it.', 'public'),
  owner: PERSON,
  itemCount: integerSchema('How many artworks are in it; those that were deleted since are still counted.', 6),
  version: integerSchema('Counts its changes, from 1.', 3, 1),
  createdAt: dateTimeSchema('When it was made.'),
  updatedAt: dateTimeSchema('When it was changed last.'),
};

const COLLECTION = registerObjectSchema<CollectionResponse>(
  'Collection',
  'A list of artworks that a person keeps.',
  COLLECTION_PROPERTIES,
);

const COLLECTION_ITEM = registerObjectSchema<CollectionItemResponse>('CollectionItem', 'An artwork in a collection.', {
  addedAt: dateTimeSchema('When it was added.'),
  note: nullable(stringSchema('What its owner says about it.', 'Before nine.')),
  artwork: ARTWORK_SUMMARY,
});

const COLLECTION_WITH_ITEMS = registerObjectSchema<CollectionWithItemsResponse>(
  'CollectionWithItems',
  'A collection with a page of its items.',
  {
    ...COLLECTION_PROPERTIES,
    items: arraySchema(COLLECTION_ITEM, 'In the order of the list, without artworks that were deleted.'),
    page: PAGE_INFO_PROPERTY,
  },
);

const WRITTEN_COLLECTION = registerObjectSchema<CollectionWriteResponse>(
  'WrittenCollection',
  'What was written, and the version now. All of the collection, where the token holds `collections:read`.',
  {
    id: COLLECTION_PROPERTIES.id,
    version: COLLECTION_PROPERTIES.version,
    name: optional(COLLECTION_PROPERTIES.name),
    description: optional(COLLECTION_PROPERTIES.description),
    visibility: optional(COLLECTION_PROPERTIES.visibility),
    owner: optional(COLLECTION_PROPERTIES.owner),
    itemCount: optional(COLLECTION_PROPERTIES.itemCount),
    createdAt: optional(COLLECTION_PROPERTIES.createdAt),
    updatedAt: optional(COLLECTION_PROPERTIES.updatedAt),
  },
);

const ADD_ITEMS_RESPONSE = registerObjectSchema<AddCollectionItemsResponse>('AddedItems', 'What came of adding.', {
  notFound: arraySchema(stringSchema('An id.', 'mrk_nowhere'), 'Ids that are no marker’s, or a deleted one’s.'),
  collection: objectSchema<AddCollectionItemsResponse['collection']>('What it was added to.', {
    id: idSchema('col'),
    version: COLLECTION_PROPERTIES.version,
  }),
});

const WRITE_ERRORS = [
  toForbiddenError(ACCOUNT_BLOCKED),
  toForbiddenError({ reason: 'not_owner', message: 'Only the person whose collection this is can change it.' }),
  notFound('collection'),
];

describeOperations(
  CollectionsController,
  {
    tag: 'Collections',
    pathParams: { id: idSchema('col', 'The collection.'), markerId: idSchema('mrk', 'The artwork.') },
  },
  {
    list: {
      operationId: 'listCollections',
      summary: "List the person's collections",
      description: 'Private ones too, the latest changed first.',
      response: pageSchema(COLLECTION),
    },
    get: {
      operationId: 'getCollection',
      summary: 'Look at a collection',
      description:
        'A public one needs no token. A token that is sent must be good, though. With `collections:read` the person sees their own private ones.',
      response: COLLECTION_WITH_ITEMS,
      alternativeContent: GEOJSON_CONTENT,
      optionalScope: 'collections:read',
      errors: [notFound('collection')],
    },
    create: {
      operationId: 'createCollection',
      summary: 'Make a collection',
      response: WRITTEN_COLLECTION,
      bodyExamples: { private: { name: 'Doors' }, public: { name: 'Doors', description: null, visibility: 'public' } },
      errors: [
        toForbiddenError(ACCOUNT_BLOCKED),
        new ApiError(422, 'limit_reached', 'A person can have 200 collections.'),
      ],
    },
    update: {
      operationId: 'changeCollection',
      summary: 'Change a collection',
      response: WRITTEN_COLLECTION,
      bodyExamples: { publish: { visibility: 'public' }, rename: { name: 'Doors and gates' } },
      errors: WRITE_ERRORS,
    },
    delete: {
      operationId: 'deleteCollection',
      summary: 'Delete a collection',
      description: 'With all that is in it; the artworks stay on the map.',
      errors: WRITE_ERRORS,
    },
    addItems: {
      operationId: 'addToCollection',
      summary: 'Add artworks to a collection',
      description: 'What is there already stays where it is.',
      response: ADD_ITEMS_RESPONSE,
      bodyExamples: { one: { items: [{ markerId: 'mrk_01JDEM00000000000000000005', note: 'Before nine.' }] } },
      errors: [
        ...WRITE_ERRORS,
        new ApiError(422, 'not_an_artwork', 'mrk_01JDEM0000000000000000006A is a place; a collection holds artworks.'),
        new ApiError(422, 'limit_reached', 'A collection can hold 1000 artworks.'),
      ],
    },
    removeItems: {
      operationId: 'removeFromCollection',
      summary: 'Take artworks out of a collection',
      description: 'Up to 100 at once. What is not in it needs nothing done.',
      errors: WRITE_ERRORS,
    },
    removeItem: {
      operationId: 'removeArtworkFromCollection',
      summary: 'Take one artwork out of a collection',
      description: 'Where it is not in it, nothing needs to be done.',
      errors: WRITE_ERRORS,
    },
  },
);
