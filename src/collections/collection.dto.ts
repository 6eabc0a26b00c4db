import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IfGiven } from '../http/if-given.js';
import { Nested } from '../http/nested.js';
import { PageQuery } from '../http/paging.js';
import { Several } from '../http/query-values.js';
import { Line, Text } from '../http/text.js';
import { type ArtworkSummary, toArtworkSummary } from '../markers/marker.dto.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { CollectionItem } from './collection-item.entity.js';
import { type Collection, VISIBILITIES, type Visibility } from './collection.entity.js';

class CollectionFields {
  @IsOptional()
  @Text(0, 2000)
  description?: string | null;

  @IfGiven()
  @IsIn(VISIBILITIES)
  visibility?: Visibility;
}

export class CreateCollection extends CollectionFields {
  @Line(1, 100)
  name!: string;
}

export class ChangeCollection extends CollectionFields {
  @IfGiven()
  @Line(1, 100)
  name?: string;
}

export class NewItem {
  @IsString()
  markerId!: string;

  @IsOptional()
  @Text(0, 500)
  note?: string | null;
}

export class AddItems {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => NewItem, { each: true })
  items!: NewItem[];
}

/** Which artworks are taken out: repeated, or separated by commas. */
export class RemoveItems {
  @Several()
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
  @Text(1, 40)
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

/** What a write answers: what was written and the version it has now; all of it, if the app may read collections too. */
export type WrittenCollection = Pick<CollectionResponse, 'id' | 'version'> & Partial<CollectionResponse>;

export interface AddedItems {
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
export function toWrittenCollection(
  caller: Caller,
  collection: Collection,
  written: ('name' | 'description' | 'visibility')[],
): WrittenCollection {
  if (caller.scopes.has('collections:read')) return toCollectionResponse(collection);
  const { id, version } = collection;
  return { id, ...Object.fromEntries(written.map((field) => [field, collection[field]])), version };
}

export function toItemResponse({ addedAt, note, marker }: CollectionItem): CollectionItemResponse {
  return { addedAt: addedAt.toISOString(), note, artwork: toArtworkSummary(marker) };
}
