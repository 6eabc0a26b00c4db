import { Body, Delete, Get, Headers, HttpCode, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../http/api-controller.js';
import { locate } from '../http/page-link.js';
import type { Page } from '../http/paging.js';
import { GeoJson } from '../markers/geojson.interceptor.js';
import { FormattedPageQuery } from '../markers/markers-query.dto.js';
import { Caller } from '../scopes/caller.decorator.js';
import { Public } from '../scopes/public.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { CollectionItemsService } from './collection-items.service.js';
import {
  type AddedItems,
  AddItems,
  ChangeCollection,
  type CollectionResponse,
  CollectionsQuery,
  CreateCollection,
  RemoveItems,
  type WrittenCollection,
} from './collection.dto.js';
import { CollectionsService, type CollectionWithItems } from './collections.service.js';

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
  @UseInterceptors(GeoJson)
  get(
    @Caller() caller: Caller | undefined,
    @Param('id') id: string,
    @Query() query: FormattedPageQuery,
  ): Promise<CollectionWithItems> {
    return this.collections.get(caller, id, query);
  }

  @Post()
  @RequireScope('collections:write')
  async create(
    @Caller() caller: Caller,
    @Body() body: CreateCollection,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WrittenCollection> {
    const written = await this.collections.create(caller, body);
    locate(response, written.id);
    return written;
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('collections:write')
  change(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeCollection,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<WrittenCollection> {
    return this.collections.change(caller, id, body, ifMatch);
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
  addItems(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: AddItems,
    @Headers('If-Match') ifMatch: string | undefined,
  ): Promise<AddedItems> {
    return this.items.add(caller, id, body.items, ifMatch);
  }

  @Delete(':id/items')
  @HttpCode(204)
  @RequireScope('collections:write')
  removeItems(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Query() query: RemoveItems,
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
