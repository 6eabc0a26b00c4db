import { ACCOUNT_BLOCKED } from '../../identity/accounts/account-permissions.js';
import { idSchema } from '../../platform/database/ids.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { denyPermission, toForbiddenError } from '../../platform/errors/denial.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { GEOJSON_LIST } from '../markers/markers.openapi.js';
import {
  createCollectionNotFoundError,
  createItemNotFoundError,
  createNotAnArtworkError,
  createTooManyCollectionsError,
  createTooManyItemsError,
} from './collection-rules.js';
import {
  AddCollectionItemsResponse,
  UpdateCollectionItemResponse,
  OrderCollectionItemsResponse,
  CollectionResponse,
  CollectionWithItemsResponse,
  CollectionWriteResponse,
} from './collection.dto.js';
import { CollectionsController } from './collections.controller.js';

const WRITE_ERRORS = [
  toForbiddenError(ACCOUNT_BLOCKED),
  toForbiddenError(denyPermission('not_owner', 'Only the owner of a collection can change it.')),
  createCollectionNotFoundError(),
];

/** The OpenAPI description of the collections API. */
export const COLLECTIONS_API = describeApi(
  CollectionsController,
  {
    kind: 'resource',
    tag: 'Collections',
    pathParams: { id: idSchema('col', 'Id of the collection.'), markerId: idSchema('mrk', 'Id of the artwork.') },
  },
  {
    list: {
      operationId: 'listCollections',
      summary: 'List the collections of the person',
      description: 'Returns public and private collections, last changed first.',
      response: pageSchema(CollectionResponse),
    },
    get: {
      operationId: 'getCollection',
      summary: 'Get a collection',
      description:
        'Returns a collection with a page of its items. A public collection needs no token. A private collection needs ' +
        'a token of its owner with the scope `collections:read`; otherwise the status is 404. An expired or invalid ' +
        'token is rejected with 401, even for a public collection.',
      response: CollectionWithItemsResponse,
      ...GEOJSON_LIST,
      optionalScope: 'collections:read',
      errors: [createCollectionNotFoundError()],
    },
    create: {
      operationId: 'createCollection',
      acceptsIdempotencyKey: true,
      summary: 'Create a collection',
      description: 'Creates an empty collection. A person can have up to 200 collections.',
      status: 201,
      response: CollectionWriteResponse,
      bodyExamples: { private: { name: 'Doors' }, public: { name: 'Doors', description: null, visibility: 'public' } },
      errors: [toForbiddenError(ACCOUNT_BLOCKED), createTooManyCollectionsError()],
    },
    update: {
      operationId: 'changeCollection',
      acceptsIfMatch: true,
      summary: 'Change a collection',
      description: 'Changes name, description or visibility. Only the owner can change a collection.',
      response: CollectionWriteResponse,
      bodyExamples: { publish: { visibility: 'public' }, rename: { name: 'Doors and gates' } },
      errors: WRITE_ERRORS,
    },
    delete: {
      operationId: 'deleteCollection',
      acceptsIfMatch: true,
      summary: 'Delete a collection',
      description: 'Deletes the collection and its items. The artworks stay on the map.',
      errors: WRITE_ERRORS,
    },
    addItems: {
      operationId: 'addToCollection',
      acceptsIfMatch: true,
      acceptsIdempotencyKey: true,
      summary: 'Add artworks to a collection',
      description:
        'Adds up to 100 artworks at the end. An artwork that is already in the collection keeps its place and its note. ' +
        'A collection can have up to 1,000 artworks.',
      response: AddCollectionItemsResponse,
      bodyExamples: { one: { items: [{ markerId: 'mrk_01JDEM00000000000000000005', note: 'Before nine.' }] } },
      errors: [...WRITE_ERRORS, createNotAnArtworkError('mrk_01JDEM0000000000000000006A'), createTooManyItemsError()],
    },
    updateItem: {
      operationId: 'changeCollectionItem',
      acceptsIfMatch: true,
      summary: 'Change the note of an artwork in a collection',
      description:
        'Replaces or removes the note. With the scope `collections:write` alone, the response does not show whether ' +
        'the artwork is in the collection.',
      response: UpdateCollectionItemResponse,
      bodyExamples: { replace: { note: 'After dark.' }, remove: { note: null } },
      errors: [...WRITE_ERRORS, createNotFoundError('artwork'), createItemNotFoundError()],
    },
    orderItems: {
      operationId: 'orderCollection',
      acceptsIfMatch: true,
      summary: 'Order the artworks of a collection',
      description:
        'Puts the given artworks first, in their order. The others keep their order behind them. Artworks that are not in the collection are ignored.',
      response: OrderCollectionItemsResponse,
      bodyExamples: { two: { markerIds: ['mrk_01JDEM00000000000000000010', 'mrk_01JDEM00000000000000000005'] } },
      errors: WRITE_ERRORS,
    },
    removeItems: {
      operationId: 'removeFromCollection',
      acceptsIfMatch: true,
      summary: 'Remove artworks from a collection',
      description: 'Removes up to 100 artworks. Artworks that are not in the collection are ignored.',
      errors: WRITE_ERRORS,
    },
    removeItem: {
      operationId: 'removeArtworkFromCollection',
      acceptsIfMatch: true,
      summary: 'Remove an artwork from a collection',
      description: 'Removes one artwork. The response is the same if the artwork is not in the collection.',
      errors: WRITE_ERRORS,
    },
  },
);
