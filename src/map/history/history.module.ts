import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataRegistry } from '../../identity/accounts/personal-data.registry.js';
import { AccountStoreModule } from '../../identity/accounts/account-store.module.js';
import { EntityVersion } from './entity-version.entity.js';
import { describeHistoryPersonalData, HistoryService } from './history.service.js';

/** History of artworks and artists. */
@Module({
  imports: [TypeOrmModule.forFeature([EntityVersion]), AccountStoreModule],
  providers: [HistoryService],
  exports: [HistoryService],
})
export class HistoryModule implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly history: HistoryService,
  ) {}

  onModuleInit(): void {
    this.personalData.register(describeHistoryPersonalData(this.history));
  }
}
