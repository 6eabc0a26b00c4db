import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { CollectionItem } from './collection-item.entity.js';
import { CollectionItemsService } from './collection-items.service.js';
import { Collection } from './collection.entity.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { CollectionsStore } from './collections.store.js';

/** Collections: lists of artworks by one person. */
@Module({
  imports: [TypeOrmModule.forFeature([Collection, CollectionItem]), AccountsModule, MarkersModule],
  controllers: [CollectionsController],
  providers: [CollectionsService, CollectionItemsService, CollectionsStore],
  exports: [CollectionsStore],
})
export class CollectionsModule {}
