import { Body, Delete, Get, Headers, HttpCode, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../../platform/http/api-controller.decorator.js';
import { Licensed } from '../../platform/http/api-request.interceptor.js';
import { IdempotencyKeyHeader, toReplayableBody } from '../../platform/idempotency/idempotency-key.decorator.js';
import type { IdempotencyKey } from '../../platform/idempotency/idempotent-writes.service.js';
import { setLocationHeader } from '../../platform/http/request-url.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { GeoJsonInterceptor } from '../markers/geojson/geojson.interceptor.js';
import { GeoJsonPageQuery } from '../markers/geojson/geojson-page-query.dto.js';
import { Caller } from '../../identity/scopes/caller.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { CollectionItemsService } from './collection-items.service.js';
import {
  type AddCollectionItemsResponse,
  UpdateCollectionItemRequest,
  type UpdateCollectionItemResponse,
  AddCollectionItemsRequest,
  UpdateCollectionRequest,
  type CollectionResponse,
  CollectionsQuery,
  CreateCollectionRequest,
  OrderCollectionItemsRequest,
  type OrderCollectionItemsResponse,
  RemoveCollectionItemsQuery,
  type CollectionWithItemsResponse,
  type CollectionWriteResponse,
} from './collection.dto.js';
import { CollectionsService } from './collections.service.js';

/** The Collections API. */
@Licensed(true)
@ApiController('api/collections')
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly items: CollectionItemsService,
  ) {}

  @Get()
  @RequireScope('collections:read')
  list(@Caller() caller: Caller, @Query() query: CollectionsQuery): Promise<Page<CollectionResponse>> {
    return this.collections.listOwn(caller, query);
  }

  @Get(':id')
  @Public('optional-token')
  @UseInterceptors(GeoJsonInterceptor)
  get(
    @Caller() caller: Caller | undefined,
    @Param('id') id: string,
    @Query() query: GeoJsonPageQuery,
  ): Promise<CollectionWithItemsResponse> {
    return this.collections.get(caller, id, query);
  }

  @Post()
  @RequireScope('collections:write')
  async create(
    @Caller() caller: Caller,
    @Body() body: CreateCollectionRequest,
    @IdempotencyKeyHeader() key: IdempotencyKey | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollectionWriteResponse> {
    const collection = toReplayableBody(response, await this.collections.create(caller, body, key));
    setLocationHeader(response, collection.id);
    return collection;
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('collections:write')
  update(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateCollectionRequest,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<CollectionWriteResponse> {
    return this.collections.update(caller, id, body, ifMatch);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('collections:write')
  delete(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<void> {
    return this.collections.delete(caller, id, ifMatch);
  }

  @Post(':id/items')
  @HttpCode(200)
  @RequireScope('collections:write')
  async addItems(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: AddCollectionItemsRequest,
    @Headers('If-Match') ifMatch: string | undefined,
    @IdempotencyKeyHeader() key: IdempotencyKey | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddCollectionItemsResponse> {
    return toReplayableBody(response, await this.items.add(caller, id, body.items, ifMatch, key));
  }

  @Post(':id/items/:markerId')
  @HttpCode(200)
  @RequireScope('collections:write')
  updateItem(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Param('markerId') markerId: string,
    @Body() body: UpdateCollectionItemRequest,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<UpdateCollectionItemResponse> {
    return this.items.setNote(caller, { id, markerId }, body.note, ifMatch);
  }

  @Post(':id/order')
  @HttpCode(200)
  @RequireScope('collections:write')
  orderItems(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: OrderCollectionItemsRequest,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<OrderCollectionItemsResponse> {
    return this.items.order(caller, id, body.markerIds, ifMatch);
  }

  @Delete(':id/items')
  @HttpCode(204)
  @RequireScope('collections:write')
  removeItems(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Query() query: RemoveCollectionItemsQuery,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<void> {
    return this.items.remove(caller, id, query.markerIds, ifMatch);
  }

  @Delete(':id/items/:markerId')
  @HttpCode(204)
  @RequireScope('collections:write')
  removeItem(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Param('markerId') markerId: string,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<void> {
    return this.items.remove(caller, id, [markerId], ifMatch);
  }
}
