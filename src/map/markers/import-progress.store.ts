import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { lock, lockShared } from '../../platform/database/advisory-locks.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { MarkerImport } from './marker-import.entity.js';

/** Progress of an import. */
export interface ImportCounts {
  /** Number of features that were read. */
  processed: number;
  /** Number of features that became markers. */
  imported: number;
}

/**
 * Writes an import in batches, each with the progress of the import, so that a repeated import
 * continues.
 */
@Injectable()
export class ImportProgressStore {
  constructor(
    @InjectRepository(MarkerImport) private readonly imports: Repository<MarkerImport>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Returns the progress of an import.
   * @param sourceKey digest of the file, or the name of the source
   */
  async find(sourceKey: string): Promise<ImportCounts> {
    return (await this.imports.findOneBy({ sourceKey })) ?? { processed: 0, imported: 0 };
  }

  /**
   * Writes a batch and its progress.
   * @param before the progress before the batch
   * @param size number of features in the batch
   * @param work writes the batch and returns the number of markers
   * @returns the new progress; undefined, without writing, if another process has continued the
   * import
   */
  async writeBatch(
    sourceKey: string,
    before: ImportCounts,
    size: number,
    work: (tx: EntityManager) => Promise<number>,
  ): Promise<ImportCounts | undefined> {
    return this.transactions.run(async (tx) => {
      await lock(tx, 'imports', sourceKey);
      await lockShared(tx, 'regions'); // a region that is created later looks for its markers itself
      const row = await tx.findOneBy(MarkerImport, { sourceKey });
      if ((row?.processed ?? 0) !== before.processed) return undefined;
      const written = { processed: before.processed + size, imported: before.imported + (await work(tx)) };
      const now = new Date();
      await tx.save(MarkerImport, { sourceKey, startedAt: row?.startedAt ?? now, updatedAt: now, ...written });
      return written;
    });
  }
}
