import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../platform/validation/nested.decorator.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { IsCsvArray } from '../../platform/validation/query-values.decorator.js';
import { IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import { ArtworkSummary, toArtworkSummary } from '../markers/marker.dto.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import type { CollectionItem } from './collection-item.entity.js';
import { PersonResponse, toPersonResponse } from '../../identity/accounts/person.dto.js';
import { idSchema } from '../../platform/database/id-schema.js';
import { PAGE_INFO_SCHEMA, type PageInfo } from '../../platform/database/page.dto.js';
import {
  ApiSchema,
  InlineApiSchema,
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
import { type Collection, VISIBILITIES, type Visibility } from './collection.entity.js';

/** Optional fields of a collection. */
class CollectionFields {
  @RequestField('What it is about.', 'Painted doors, and the walls around them.')
  @IsOptional()
  @IsText(0, 2000)
  description?: string | null;

  @RequestField('Who may see it: everybody, or the person alone. Private unless said.', 'public')
  @IsOptionalNotNull()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;
}

/** Creation of a collection. */
@ApiSchema('CreateCollectionRequest', 'A new collection.')
export class CreateCollectionRequest extends CollectionFields {
  @RequestField('What it is called, on one line.', 'Doors')
  @IsSingleLine(1, 100)
  name!: string;
}

/** Change of a collection. Missing members stay unchanged. */
@ApiSchema('UpdateCollectionRequest', 'What is to be changed of a collection. What is left out stays as it is.')
export class UpdateCollectionRequest extends CollectionFields {
  @RequestField('What it is called, on one line.', 'Doors')
  @IsOptionalNotNull()
  @IsSingleLine(1, 100)
  name?: string;
}

/** An artwork to add to a collection. */
@ApiSchema('NewCollectionItem', 'An artwork to be added.')
export class NewCollectionItem {
  @RequestField('The artwork.', 'mrk_01JDEM00000000000000000005')
  @IsString()
  markerId!: string;

  @RequestField('A word about it.', 'Before nine.')
  @IsOptional()
  @IsText(0, 500)
  note?: string | null;
}

/** Addition of artworks to a collection. */
@ApiSchema('AddCollectionItemsRequest', 'Artworks to be added to a collection.')
export class AddCollectionItemsRequest {
  @RequestField('In the order in which they are added.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => NewCollectionItem, { each: true })
  items!: NewCollectionItem[];
}

/** Ids of the artworks to remove: a repeated parameter, or a comma-separated list. */
export class RemoveCollectionItemsQuery {
  @RequestField('Which artworks are taken out.', ['mrk_01JDEM00000000000000000005'])
  @IsCsvArray()
  @IsArray()
  @IsString({ each: true })
  markerIds!: string[];
}

/** Filters of the list of a person's own collections. */
export class CollectionsQuery extends PageQuery {
  @RequestField('Returns only collections of this visibility.', 'private')
  @IsOptional()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;

  @RequestField('Those with this artwork in them.', 'mrk_01JDEM00000000000000000052')
  @IsOptional()
  @IsText(1, 40)
  containsMarkerId?: string;
}

/** A collection without its items. */
@ApiSchema('Collection', 'A list of artworks that a person keeps.')
export class CollectionResponse {
  @ResponseField(idSchema('col'))
  id!: string;

  @ResponseField(stringSchema('What it is called.', 'Everything by the water'))
  name!: string;

  @ResponseField(nullable(stringSchema('What it is about, in plain text.', 'Bring dry shoes.')))
  description!: string | null;

  @ResponseField(enumSchema(VISIBILITIES, 'Who may see it.', 'public'))
  visibility!: Visibility;

  @ResponseField(PersonResponse)
  owner!: PersonResponse;

  @ResponseField(integerSchema('How many artworks are in it; those that were deleted since are still counted.', 6))
  itemCount!: number;

  @ResponseField(integerSchema('Counts its changes, from 1.', 3, 1))
  version!: number;

  @ResponseField(dateTimeSchema('When it was made.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('When it was changed last.'))
  updatedAt!: string;
}

/** An artwork in a collection, as apps read it. */
@ApiSchema('CollectionItem', 'An artwork in a collection.')
export class CollectionItemResponse {
  @ResponseField(dateTimeSchema('When it was added.'))
  addedAt!: string;

  @ResponseField(nullable(stringSchema('What its owner says about it.', 'Before nine.')))
  note!: string | null;

  @ResponseField(ArtworkSummary)
  artwork!: ArtworkSummary;
}

/** A collection with a page of its items. */
@ApiSchema('CollectionWithItems', 'A collection with a page of its items.')
export class CollectionWithItemsResponse extends CollectionResponse {
  @ResponseField(arraySchema(CollectionItemResponse, 'In the order of the list, without artworks that were deleted.'))
  items!: CollectionItemResponse[];

  @ResponseField(PAGE_INFO_SCHEMA)
  page!: PageInfo;
}

/**
 * Response of a write: the written fields and the version; the full collection if the app may read
 * collections.
 */
@ApiSchema(
  'WrittenCollection',
  'What was written, and the version now. All of the collection, where the token holds `collections:read`.',
)
export class CollectionWriteResponse extends PartialResponse(CollectionResponse, ['id', 'version']) {}

/** Id and version of a collection. */
@InlineApiSchema('What it was added to.')
export class CollectionVersion {
  @ResponseField(idSchema('col'))
  id!: string;

  @ResponseField(integerSchema('Counts its changes, from 1.', 3, 1))
  version!: number;
}

/** Response to the addition of artworks. */
@ApiSchema('AddCollectionItemsResponse', 'What came of adding.')
export class AddCollectionItemsResponse {
  @ResponseField(arraySchema(stringSchema('An id.', 'mrk_nowhere'), 'Ids that are no marker’s, or a deleted one’s.'))
  notFound!: string[];

  @ResponseField(CollectionVersion)
  collection!: CollectionVersion;
}

/** Maps a collection, loaded with its owner, to its response. */
export function toCollectionResponse(collection: Collection): CollectionResponse {
  const { id, name, description, visibility, owner, itemCount, version, createdAt, updatedAt } = collection;
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
 * Maps a collection to the response of a write. Without `collections:read` it contains only the
 * written fields, so that the scope for writing does not grant reading.
 * @param fields the written fields
 */
export function toCollectionWriteResponse(
  caller: Caller,
  collection: Collection,
  fields: ('name' | 'description' | 'visibility')[],
): CollectionWriteResponse {
  if (caller.scopes.has('collections:read')) return toCollectionResponse(collection);
  const { id, version } = collection;
  return { id, ...Object.fromEntries(fields.map((field) => [field, collection[field]])), version };
}

/** Maps an item, loaded with marker and artists, to its response. */
export function toCollectionItemResponse({ addedAt, note, marker }: CollectionItem): CollectionItemResponse {
  return { addedAt: addedAt.toISOString(), note, artwork: toArtworkSummary(marker) };
}
