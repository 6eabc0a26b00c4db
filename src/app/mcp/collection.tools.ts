import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import {
  AddCollectionItemsRequest,
  AddCollectionItemsResponse,
  CollectionResponse,
  CollectionsQuery,
  CollectionWithItemsResponse,
  CollectionWriteResponse,
  CreateCollectionRequest,
  RemoveCollectionItemsQuery,
} from '../../map/collections/collection.dto.js';
import { CollectionItemsService } from '../../map/collections/collection-items.service.js';
import { CollectionsService } from '../../map/collections/collections.service.js';
import { idSchema } from '../../platform/database/ids.js';
import { pageSchema } from '../../platform/database/page.dto.js';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { Tool, type ToolArguments } from './tool.decorator.js';

const COLLECTION_ID = idSchema('col', 'Id of the collection.');

/** Reads and changes the collections of a person. */
@Injectable()
export class CollectionTools {
  constructor(
    private readonly collections: CollectionsService,
    private readonly items: CollectionItemsService,
  ) {}

  @Tool({
    name: 'list_my_collections',
    title: 'List my collections',
    description: 'Lists the collections of the person, private ones too, latest change first.',
    query: CollectionsQuery,
    output: pageSchema(CollectionResponse),
  })
  @RequireScope('collections:read')
  listMine(caller: Caller, { values }: ToolArguments<CollectionsQuery>): Promise<object> {
    return this.collections.listOwn(caller, values);
  }

  @Tool({
    name: 'get_collection',
    title: 'Get a collection',
    description: 'Returns a collection of the person, or a public one, with a page of its artworks.',
    id: COLLECTION_ID,
    query: PageQuery,
    output: CollectionWithItemsResponse,
  })
  @RequireScope('collections:read')
  get(caller: Caller, { id, values }: ToolArguments<PageQuery>): Promise<object> {
    return this.collections.get(caller, id, values);
  }

  @Tool({
    name: 'create_collection',
    title: 'Create a collection',
    description: 'Creates a collection of the person. It is private unless `visibility` is `public`.',
    body: CreateCollectionRequest,
    acceptsIdempotencyKey: true,
    output: CollectionWriteResponse,
  })
  @RequireScope('collections:write')
  async create(caller: Caller, { values, key }: ToolArguments<CreateCollectionRequest>): Promise<object> {
    return (await this.collections.create(caller, values, key)).response;
  }

  @Tool({
    name: 'add_to_collection',
    title: 'Add to a collection',
    description: 'Adds artworks to a collection of the person. Artworks that it already contains stay as they are.',
    id: COLLECTION_ID,
    body: AddCollectionItemsRequest,
    acceptsIdempotencyKey: true,
    output: AddCollectionItemsResponse,
  })
  @RequireScope('collections:write')
  async add(caller: Caller, { id, values, key }: ToolArguments<AddCollectionItemsRequest>): Promise<object> {
    return (await this.items.add(caller, id, values.items, undefined, key)).response;
  }

  @Tool({
    name: 'remove_from_collection',
    title: 'Remove from a collection',
    description: 'Removes artworks from a collection of the person. Artworks that it does not contain are ignored.',
    id: COLLECTION_ID,
    query: RemoveCollectionItemsQuery,
    isDestructive: true,
    acceptsIdempotencyKey: true,
    output: { type: 'object', description: 'The artworks were removed.', properties: {}, required: [] },
  })
  @RequireScope('collections:write')
  async remove(caller: Caller, { id, values, key }: ToolArguments<RemoveCollectionItemsQuery>): Promise<object> {
    await this.items.remove(caller, id, values.markerIds, undefined, key);
    return {};
  }
}
