import { ACCOUNT_BLOCKED } from '../../identity/accounts/account-permissions.js';
import { idSchema } from '../../platform/database/id-schema.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { denyPermission, toForbiddenError } from '../../platform/http/denial.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { GEOJSON_CONTENT } from '../markers/geojson/feature-collection.dto.js';
import {
  createCollectionNotFoundError,
  createNotAnArtworkError,
  createTooManyCollectionsError,
  createTooManyItemsError,
} from './collection-errors.js';
import {
  AddCollectionItemsResponse,
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
    pathParams: { id: idSchema('col', 'The collection.'), markerId: idSchema('mrk', 'The artwork.') },
  },
  {
    list: {
      operationId: 'listCollections',
      summary: "List the person's collections",
      description: 'Private ones too, the latest changed first.',
      response: pageSchema(CollectionResponse),
    },
    get: {
      operationId: 'getCollection',
      summary: 'Look at a collection',
      description:
        'A public one needs no token. A token that is sent must be good, though. With `collections:read` the person sees their own private ones.',
      response: CollectionWithItemsResponse,
      alternativeContent: GEOJSON_CONTENT,
      optionalScope: 'collections:read',
      errors: [createCollectionNotFoundError()],
    },
    create: {
      operationId: 'createCollection',
      summary: 'Make a collection',
      status: 201,
      response: CollectionWriteResponse,
      bodyExamples: { private: { name: 'Doors' }, public: { name: 'Doors', description: null, visibility: 'public' } },
      errors: [toForbiddenError(ACCOUNT_BLOCKED), createTooManyCollectionsError()],
    },
    update: {
      operationId: 'changeCollection',
      acceptsIfMatch: true,
      summary: 'Change a collection',
      response: CollectionWriteResponse,
      bodyExamples: { publish: { visibility: 'public' }, rename: { name: 'Doors and gates' } },
      errors: WRITE_ERRORS,
    },
    delete: {
      operationId: 'deleteCollection',
      acceptsIfMatch: true,
      summary: 'Delete a collection',
      description: 'Deletes its items too. The artworks stay on the map.',
      errors: WRITE_ERRORS,
    },
    addItems: {
      operationId: 'addToCollection',
      acceptsIfMatch: true,
      summary: 'Add artworks to a collection',
      description: 'What is there already stays where it is.',
      response: AddCollectionItemsResponse,
      bodyExamples: { one: { items: [{ markerId: 'mrk_01JDEM00000000000000000005', note: 'Before nine.' }] } },
      errors: [...WRITE_ERRORS, createNotAnArtworkError('mrk_01JDEM0000000000000000006A'), createTooManyItemsError()],
    },
    removeItems: {
      operationId: 'removeFromCollection',
      acceptsIfMatch: true,
      summary: 'Take artworks out of a collection',
      description: 'Up to 100 at once. What is not in it needs nothing done.',
      errors: WRITE_ERRORS,
    },
    removeItem: {
      operationId: 'removeArtworkFromCollection',
      acceptsIfMatch: true,
      summary: 'Take one artwork out of a collection',
      description: 'Where it is not in it, nothing needs to be done.',
      errors: WRITE_ERRORS,
    },
  },
);
