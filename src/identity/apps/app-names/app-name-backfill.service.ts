import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AppsStore } from '../apps.store.js';

/**
 * Fills the name skeletons at the start if an older version of the service wrote apps without
 * them.
 */
@Injectable()
export class AppNameBackfillService implements OnApplicationBootstrap {
  constructor(
    private readonly apps: AppsStore,
    private readonly transactions: TransactionService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!(await this.apps.isNameSkeletonMissing())) return;
    await this.transactions.runExclusive((tx) => this.apps.backfillNameSkeletons(tx));
  }
}
