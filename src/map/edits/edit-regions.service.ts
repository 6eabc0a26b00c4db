import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service.js';
import type { Region } from '../regions/region.entity.js';
import { EditsStore } from './edits.store.js';

/** Assigns a new region to existing open edits, so that the reviewers of the region find them. */
@Injectable()
export class EditRegionsService {
  constructor(
    private readonly edits: EditsStore,
    private readonly transactions: TransactionService,
  ) {}

  async assignRegion(region: Region): Promise<void> {
    await this.transactions.run((tx) => this.edits.assignRegion(tx, region));
  }
}
