import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDataRegistry } from '../../identity/accounts/account-data.registry.js';
import { AccountDataModule } from '../../identity/accounts/account-data.module.js';
import { EntityVersion } from './entity-version.entity.js';
import { describeHistoryData, HistoryService } from './history.service.js';

/** History of artworks and artists. */
@Module({
  imports: [TypeOrmModule.forFeature([EntityVersion]), AccountDataModule],
  providers: [HistoryService],
  exports: [HistoryService],
})
export class HistoryModule implements OnModuleInit {
  constructor(
    private readonly accountData: AccountDataRegistry,
    private readonly history: HistoryService,
  ) {}

  onModuleInit(): void {
    this.accountData.register(describeHistoryData(this.history));
  }
}
