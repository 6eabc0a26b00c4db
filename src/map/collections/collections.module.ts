import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { CollectionItem } from './collection-item.entity.js';
import { CollectionItemsService } from './collection-items.service.js';
import { Collection } from './collection.entity.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Collection, CollectionItem]), AccountsModule, MarkersModule],
  controllers: [CollectionsController],
  providers: [CollectionsService, CollectionItemsService],
})
export class CollectionsModule {}
