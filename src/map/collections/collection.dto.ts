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

class CollectionFields {
  @IsOptional()
  @IsText(0, 2000)
  description?: string | null;

  @IsOptionalNotNull()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;
}

export class CreateCollectionRequest extends CollectionFields {
  @IsSingleLine(1, 100)
  name!: string;
}

export class UpdateCollectionRequest extends CollectionFields {
  @IsOptionalNotNull()
  @IsSingleLine(1, 100)
  name?: string;
}

export class NewCollectionItem {
  @IsString()
  markerId!: string;

  @IsOptional()
  @IsText(0, 500)
  note?: string | null;
}

export class AddCollectionItemsRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => NewCollectionItem, { each: true })
  items!: NewCollectionItem[];
}

/** Which artworks are taken out: repeated, or separated by commas. */
export class RemoveCollectionItemsQuery {
  @IsCsvArray()
  @IsArray()
  @IsString({ each: true })
  markerIds!: string[];
}

/** Which of a person's collections are wanted. */
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

/** What a write answers: what was written and the version it has now; all of it, if the app may read collections too. */
export type CollectionWriteResponse = Pick<CollectionResponse, 'id' | 'version'> & Partial<CollectionResponse>;

export interface AddCollectionItemsResponse {
  /** Ids that are no marker's, or a deleted one's. */
  notFound: string[];
  collection: Pick<CollectionResponse, 'id' | 'version'>;
}

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

/** So that a scope to write is no back door for reading. */
export function toCollectionWriteResponse(
  caller: Caller,
  collection: Collection,
  written: ('name' | 'description' | 'visibility')[],
): CollectionWriteResponse {
  if (caller.scopes.has('collections:read')) return toCollectionResponse(collection);
  const { id, version } = collection;
  return { id, ...Object.fromEntries(written.map((field) => [field, collection[field]])), version };
}

export function toCollectionItemResponse({ addedAt, note, marker }: CollectionItem): CollectionItemResponse {
  return { addedAt: addedAt.toISOString(), note, artwork: toArtworkSummary(marker) };
}
