import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { MarkerImport } from './marker-import.entity.js';

/** How far an import has come. */
export interface ImportCounts {
  /** Of so many that were looked at, so many are on the map. */
  processed: number;
  imported: number;
}

/** Writes what is brought in batch by batch, each with how far it has come: begun again, it goes on there. */
@Injectable()
export class ImportProgressStore {
  constructor(
    @InjectRepository(MarkerImport) private readonly imports: Repository<MarkerImport>,
    private readonly transactions: TransactionService,
  ) {}

  /** How far the import of this has come before. @param sourceKey digest of what is imported, or its name */
  async find(sourceKey: string): Promise<ImportCounts> {
    return (await this.imports.findOneBy({ sourceKey })) ?? { processed: 0, imported: 0 };
  }

  /**
   * Writes a batch, and that it is written.
   * @returns undefined where another process has gone on from the same place meanwhile; then nothing is written
   */
  async writeBatch(
    sourceKey: string,
    before: ImportCounts,
    looked: number,
    work: (tx: EntityManager) => Promise<number>,
  ): Promise<ImportCounts | undefined> {
    return this.transactions.runExclusive(async (tx) => {
      const row = await tx.findOneBy(MarkerImport, { sourceKey });
      if ((row?.processed ?? 0) !== before.processed) return undefined;
      const written = { processed: before.processed + looked, imported: before.imported + (await work(tx)) };
      const now = new Date();
      await tx.save(MarkerImport, { sourceKey, startedAt: row?.startedAt ?? now, updatedAt: now, ...written });
      return written;
    });
  }
}
