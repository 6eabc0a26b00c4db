import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataRegistry } from '../../identity/accounts/personal-data.registry.js';
import { AppRecordModule } from '../../identity/app-record/app-record.module.js';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { Collection, CollectionItem } from './collection.entity.js';
import { CollectionUndoService } from './collection-undo.service.js';
import { CollectionItemsService } from './collection-items.service.js';
import { CollectionsPersonalDataService } from './collections-personal-data.service.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { CollectionsStore } from './collections.store.js';

/** Collections: lists of artworks by one person. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Collection, CollectionItem]),
    AccountsModule,
    AppRecordModule,
    IdempotencyModule,
    MarkersModule,
  ],
  controllers: [CollectionsController],
  providers: [
    CollectionsService,
    CollectionItemsService,
    CollectionUndoService,
    CollectionsPersonalDataService,
    CollectionsStore,
  ],
  exports: [CollectionsService, CollectionItemsService, CollectionUndoService, CollectionsStore],
})
export class CollectionsModule implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly collectionsPersonalData: CollectionsPersonalDataService,
  ) {}

  onModuleInit(): void {
    this.personalData.register(this.collectionsPersonalData);
  }
}
