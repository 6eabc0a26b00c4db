import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../platform/validation/nested.decorator.js';
import { type Page, PageQuery } from '../../platform/database/keyset-pagination.js';
import { IsCsvArray } from '../../platform/validation/query-values.decorator.js';
import { IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import { type ArtworkSummary, toArtworkSummary } from '../markers/marker.dto.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import type { CollectionItem } from './collection-item.entity.js';
import { type Collection, VISIBILITIES, type Visibility } from './collection.entity.js';

/** Optional fields of a collection. */
class CollectionFields {
  @IsOptional()
  @IsText(0, 2000)
  description?: string | null;

  @IsOptionalNotNull()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;
}

/** Creation of a collection. */
export class CreateCollectionRequest extends CollectionFields {
  @IsSingleLine(1, 100)
  name!: string;
}

/** Change of a collection. Missing members stay unchanged. */
export class UpdateCollectionRequest extends CollectionFields {
  @IsOptionalNotNull()
  @IsSingleLine(1, 100)
  name?: string;
}

/** An artwork to add to a collection. */
export class NewCollectionItem {
  @IsString()
  markerId!: string;

  @IsOptional()
  @IsText(0, 500)
  note?: string | null;
}

/** Addition of artworks to a collection. */
export class AddCollectionItemsRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => NewCollectionItem, { each: true })
  items!: NewCollectionItem[];
}

/** Ids of the artworks to remove: a repeated parameter, or a comma-separated list. */
export class RemoveCollectionItemsQuery {
  @IsCsvArray()
  @IsArray()
  @IsString({ each: true })
  markerIds!: string[];
}

/** Filters of the list of a person's own collections. */
export class CollectionsQuery extends PageQuery {
  @IsOptional()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;

  @IsOptional()
  @IsText(1, 40)
  containsMarkerId?: string;
}

/** A collection, as apps read it. */
export interface CollectionResponse {
  id: string;
  name: string;
  description: string | null;
  visibility: Visibility;
  owner: { id: string; username: string };
  itemCount: number;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** An artwork in a collection, as apps read it. */
export interface CollectionItemResponse {
  addedAt: string;
  note: string | null;
  artwork: ArtworkSummary;
}

/** A collection with a page of its items. */
export type CollectionWithItemsResponse = CollectionResponse & { items: CollectionItemResponse[] } & Pick<
    Page<never>,
    'page'
  >;

/**
 * Response of a write: the written fields and the new version; the full collection only if the app
 * may read it.
 */
export type CollectionWriteResponse = Pick<CollectionResponse, 'id' | 'version'> & Partial<CollectionResponse>;

/** Response to the addition of artworks. */
export interface AddCollectionItemsResponse {
  /** Ids of markers that do not exist or were deleted. */
  notFound: string[];
  collection: Pick<CollectionResponse, 'id' | 'version'>;
}

/** Maps a collection, loaded with its owner, to its response. */
export function toCollectionResponse(collection: Collection): CollectionResponse {
  const { id, name, description, visibility, owner, itemCount, version, createdAt, updatedAt } = collection;
  return {
    id,
    name,
    description,
    visibility,
    owner: { id: owner.id, username: owner.username },
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
