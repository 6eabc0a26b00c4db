import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsNullable, IsOptionalNotNull, Nested } from '../../platform/validation/members.decorator.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { IsCsvArray, MAX_LISTED_IDS } from '../../platform/validation/query-values.decorator.js';
import { IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import { ArtworkSummary, toArtworkSummary } from '../markers/marker.dto.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { type Collection, type CollectionItem, VISIBILITIES, type Visibility } from './collection.entity.js';
import { MAX_ITEMS_PER_COLLECTION } from './collection-rules.js';
import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/ids.js';
import { PAGE_INFO_SCHEMA, type PageInfo } from '../../platform/database/page.dto.js';
import {
  ApiSchema,
  PartialResponse,
  RequestField,
  ResponseField,
} from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
  nullable,
  stringSchema,
} from '../../platform/openapi/json-schema.js';

/** Optional fields of a collection. */
class CollectionFields {
  @RequestField(
    'Description, as plain text: up to 2,000 characters. `null` clears it.',
    'Painted doors, and the walls around them.',
  )
  @IsOptional()
  @IsText(0, 2000)
  description?: string | null;

  @RequestField(
    'Who can read the collection: `public` is everyone, `private` is only the owner. A new collection is `private`.',
    'public',
  )
  @IsOptionalNotNull()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;
}

/** Creation of a collection. */
@ApiSchema('CreateCollectionRequest', 'The fields of a new collection.')
export class CreateCollectionRequest extends CollectionFields {
  @RequestField('Name of the collection, on one line: 1 to 100 characters.', 'Doors')
  @IsSingleLine(1, 100)
  name!: string;
}

/** Change of a collection. Missing members stay unchanged. */
@ApiSchema('UpdateCollectionRequest', 'The fields of a collection to change. Omitted fields stay unchanged.')
export class UpdateCollectionRequest extends CollectionFields {
  @RequestField('New name of the collection, on one line: 1 to 100 characters.', 'Doors')
  @IsOptionalNotNull()
  @IsSingleLine(1, 100)
  name?: string;
}

/** An artwork to add to a collection. */
@ApiSchema('NewCollectionItem', 'An artwork to add to a collection.')
export class NewCollectionItem {
  @RequestField('Id of the artwork.', 'mrk_01JDEM00000000000000000005')
  @IsString()
  markerId!: string;

  @RequestField('Note of the owner, as plain text: up to 500 characters.', 'Before nine.')
  @IsOptional()
  @IsText(0, 500)
  note?: string | null;
}

/** Addition of artworks to a collection. */
@ApiSchema('AddCollectionItemsRequest', 'Artworks to add to a collection.')
export class AddCollectionItemsRequest {
  @RequestField('Artworks, in the order in which they are added: 1 to 100.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => NewCollectionItem, { each: true })
  items!: NewCollectionItem[];
}

/** Change of the note of an artwork in a collection. */
@ApiSchema('UpdateCollectionItemRequest', 'The new note of an artwork in a collection.')
export class UpdateCollectionItemRequest {
  @RequestField('Note of the owner, as plain text: up to 500 characters. `null` removes it.', 'After dark.')
  @IsNullable()
  @IsText(0, 500)
  note!: string | null;
}

/** Order of the artworks of a collection. */
@ApiSchema('OrderCollectionItemsRequest', 'The order of the artworks of a collection.')
export class OrderCollectionItemsRequest {
  @RequestField(
    'Ids of artworks, in their new order: 1 to 1,000, each once. Artworks that are left out come behind, in the order ' +
      'that they had.',
    ['mrk_01JDEM00000000000000000010', 'mrk_01JDEM00000000000000000005'],
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ITEMS_PER_COLLECTION)
  @ArrayUnique()
  @IsText(1, 40, { each: true })
  markerIds!: string[];
}

/** Ids of the artworks to remove: a repeated parameter, or a comma-separated list. */
export class RemoveCollectionItemsQuery {
  @RequestField('Ids of the artworks to remove: up to 100.', ['mrk_01JDEM00000000000000000005'])
  @IsCsvArray(MAX_LISTED_IDS)
  @IsArray()
  @IsString({ each: true })
  markerIds!: string[];
}

/** Filters of the list of a person's own collections. */
export class CollectionsQuery extends PageQuery {
  @RequestField('Only collections with this visibility.', 'private')
  @IsOptional()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;

  @RequestField('Only collections that contain this artwork.', 'mrk_01JDEM00000000000000000052')
  @IsOptional()
  @IsText(1, 40)
  containsMarkerId?: string;
}

/** A collection without its items. */
@ApiSchema('Collection', 'A list of artworks that belongs to a person.')
export class CollectionResponse {
  @ResponseField(idSchema('col', 'Id of the collection.'))
  id!: string;

  @ResponseField(stringSchema('Name of the collection.', 'Everything by the water'))
  name!: string;

  @ResponseField(
    nullable(stringSchema('Description, as plain text. Escape it before you show it as HTML.', 'Bring dry shoes.')),
  )
  description!: string | null;

  @ResponseField(enumSchema(VISIBILITIES, 'Who can read the collection: everyone, or only the owner.', 'public'))
  visibility!: Visibility;

  @ResponseField({ dto: PersonResponse, description: 'Owner of the collection.' })
  owner!: PersonResponse;

  @ResponseField(integerSchema('Number of artworks. Artworks that were deleted from the map do not count.', 6))
  itemCount!: number;

  @ResponseField(integerSchema('Version of the collection. It starts at 1, and each change adds 1.', 3, 1))
  version!: number;

  @ResponseField(dateTimeSchema('Time of creation.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('Time of the last change.'))
  updatedAt!: string;
}

/** An artwork in a collection, as apps read it. */
@ApiSchema('CollectionItem', 'An artwork in a collection.')
export class CollectionItemResponse {
  @ResponseField(dateTimeSchema('Time at which the artwork was added.'))
  addedAt!: string;

  @ResponseField(nullable(stringSchema('Note of the owner, as plain text.', 'Before nine.')))
  note!: string | null;

  @ResponseField({ dto: ArtworkSummary, description: 'The artwork.' })
  artwork!: ArtworkSummary;
}

/** A collection with a page of its items. */
@ApiSchema('CollectionWithItems', 'A collection with a page of its items.')
export class CollectionWithItemsResponse extends CollectionResponse {
  @ResponseField(
    arraySchema(
      CollectionItemResponse,
      'Items of this page, in the order of the collection. Artworks that were deleted are left out.',
    ),
  )
  items!: CollectionItemResponse[];

  @ResponseField(PAGE_INFO_SCHEMA)
  page!: PageInfo;
}

/**
 * Response of a write: the written fields and the version; the full collection if the app may read
 * collections.
 */
@ApiSchema(
  'CollectionWriteResponse',
  'The id, the new version and the written fields. With the scope `collections:read`, the whole collection.',
)
export class CollectionWriteResponse extends PartialResponse(CollectionResponse, ['id', 'version']) {}

/** Id and version of a collection. */
@ApiSchema('CollectionVersion', 'The id and the version of a collection.')
export class CollectionVersion {
  @ResponseField(idSchema('col', 'Id of the collection.'))
  id!: string;

  @ResponseField(integerSchema('Version of the collection after the change.', 3, 1))
  version!: number;
}

/** Response to the addition of artworks. */
@ApiSchema('AddCollectionItemsResponse', 'The result of adding artworks to a collection.')
export class AddCollectionItemsResponse {
  @ResponseField(
    arraySchema(stringSchema('Id of a marker.', 'mrk_nowhere'), 'Ids of markers that do not exist or were deleted.'),
  )
  notFound!: string[];

  @ResponseField({ dto: CollectionVersion, description: 'The collection after the change.' })
  collection!: CollectionVersion;
}

/** Response to the change of a note. */
@ApiSchema('UpdateCollectionItemResponse', 'The artwork, its note and the version of the collection.')
export class UpdateCollectionItemResponse {
  @ResponseField(idSchema('mrk', 'Id of the artwork.'))
  markerId!: string;

  @ResponseField(nullable(stringSchema('Note of the owner, as plain text.', 'After dark.')))
  note!: string | null;

  @ResponseField({ dto: CollectionVersion, description: 'The collection after the change.' })
  collection!: CollectionVersion;
}

/** Response to a new order of artworks. */
@ApiSchema('OrderCollectionItemsResponse', 'The result of ordering the artworks of a collection.')
export class OrderCollectionItemsResponse {
  @ResponseField(
    arraySchema(
      stringSchema('Id of a marker.', 'mrk_nowhere'),
      'Ids of artworks that are not in the collection. Without the scope `collections:read`, only ids of markers ' +
        'that never existed.',
    ),
  )
  notFound!: string[];

  @ResponseField({ dto: CollectionVersion, description: 'The collection after the change.' })
  collection!: CollectionVersion;
}

/**
 * Maps a collection, loaded with its owner, to its response.
 * @param itemCount the number of its items whose markers are live
 */
export function toCollectionResponse(collection: Collection, itemCount: number): CollectionResponse {
  const { id, name, description, visibility, owner, version, createdAt, updatedAt } = collection;
  return {
    id,
    name,
    description,
    visibility,
    owner: toPersonResponse(owner),
    itemCount,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/**
 * Maps a collection to the response of a write.
 * @param itemCount the number of its items whose markers are live
 * @param fields the written fields
 */
export function toCollectionWriteResponse(
  caller: Caller,
  collection: Collection,
  itemCount: number,
  fields?: WritableField[],
): CollectionWriteResponse {
  return restrictCollectionResponse(caller, toCollectionResponse(collection, itemCount), fields);
}

/** The fields of a collection that an app can write. */
type WritableField = 'name' | 'description' | 'visibility';

/**
 * Returns the response of a write. Without `collections:read` it contains only the written fields,
 * so that the scope for writing does not grant reading.
 */
export function restrictCollectionResponse(
  caller: Caller,
  response: CollectionWriteResponse,
  fields: WritableField[] = ['name', 'description', 'visibility'],
): CollectionWriteResponse {
  if (caller.scopes.has('collections:read')) return response;
  const { id, version } = response;
  return { id, ...Object.fromEntries(fields.map((field) => [field, response[field]])), version };
}

/** Maps an item, loaded with marker and artists, to its response. */
export function toCollectionItemResponse({ addedAt, note, marker }: CollectionItem): CollectionItemResponse {
  return { addedAt: addedAt.toISOString(), note, artwork: toArtworkSummary(marker) };
}
