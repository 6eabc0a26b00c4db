import { Body, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiController } from '../http/api-controller.js';
import { type Page, PageQuery } from '../http/paging.js';
import { Caller } from '../scopes/caller.decorator.js';
import { Public } from '../scopes/public.decorator.js';
import { RequireScope } from '../scopes/require-scope.decorator.js';
import { CollectionItemsService } from './collection-items.service.js';
import {
  type AddedItems,
  AddItems,
  ChangeCollection,
  type CollectionResponse,
  CreateCollection,
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
  list(@Caller() caller: Caller, @Query() query: PageQuery): Promise<Page<CollectionResponse>> {
    return this.collections.listOwn(caller, query);
  }

  @Get(':id')
  @Public('optional-token')
  get(
    @Caller() caller: Caller | undefined,
    @Param('id') id: string,
    @Query() query: PageQuery,
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
    response.location(`${response.req.originalUrl}/${written.id}`);
    return written;
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('collections:write')
  change(
    @Caller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeCollection,
  ): Promise<WrittenCollection> {
    return this.collections.change(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('collections:write')
  delete(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.collections.delete(caller, id);
  }

  @Post(':id/items')
  @HttpCode(200)
  @RequireScope('collections:write')
  addItems(@Caller() caller: Caller, @Param('id') id: string, @Body() body: AddItems): Promise<AddedItems> {
    return this.items.add(caller, id, body.items);
  }

  @Delete(':id/items/:markerId')
  @HttpCode(204)
  @RequireScope('collections:write')
  removeItem(@Caller() caller: Caller, @Param('id') id: string, @Param('markerId') markerId: string): Promise<void> {
    return this.items.remove(caller, id, markerId);
  }
}
