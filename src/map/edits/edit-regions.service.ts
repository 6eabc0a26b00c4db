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

  /** Assigns each edit in its own transaction, which cannot wait for another in a circle. */
  async assignRegion(region: Region): Promise<void> {
    for (const id of await this.edits.listUnassigned(region))
      await this.transactions.run((tx) => this.edits.assignRegion(tx, id, region));
    for (const id of await this.edits.listUnassignedMoves(region))
      await this.transactions.run((tx) => this.edits.assignDestination(tx, id, region));
  }
}
