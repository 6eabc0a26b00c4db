import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { ArtistsStore } from './artists.store.js';

/**
 * Fills the search texts at the start if an older version of the service wrote artists without
 * them.
 */
@Injectable()
export class ArtistSearchBackfillService implements OnApplicationBootstrap {
  constructor(
    private readonly artists: ArtistsStore,
    private readonly transactions: TransactionService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!(await this.artists.isSearchTextMissing())) return;
    await this.transactions.runExclusive((tx) => this.artists.backfillSearchText(tx));
  }
}
