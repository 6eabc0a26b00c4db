import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { type ChangedRecord, ChangesStore } from './changes.store.js';
import type { MapRecordType } from './map-change.entity.js';

/** Records which markers and artists a transaction changes, for the feeds of changes. */
@Injectable()
export class ChangeLog {
  /** The changed records of each open transaction, by type and id. */
  private readonly recorded = new WeakMap<EntityManager, Map<string, ChangedRecord>>();

  constructor(
    private readonly changes: ChangesStore,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Records changes. They are written before the commit, each record once. A transaction that fails
   * records nothing.
   */
  record(tx: EntityManager, type: MapRecordType, ids: string[]): void {
    if (ids.length === 0) return;
    const records = this.recorded.get(tx) ?? this.start(tx);
    for (const id of ids) records.set(`${type} ${id}`, { type, id });
  }

  private start(tx: EntityManager): Map<string, ChangedRecord> {
    const records = new Map<string, ChangedRecord>();
    this.recorded.set(tx, records);
    this.transactions.beforeCommit(tx, () => this.changes.append(tx, [...records.values()]));
    return records;
  }
}
