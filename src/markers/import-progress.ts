import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { Import } from './import.entity.js';

/** How far an import has come. */
export interface Progress {
  /** Of so many that were looked at, so many are on the map. */
  done: number;
  imported: number;
}

/** Writes what is brought in batch by batch, each with how far it has come: begun again, it goes on there. */
@Injectable()
export class ImportProgress {
  constructor(
    @InjectRepository(Import) private readonly imports: Repository<Import>,
    private readonly transactions: Transactions,
  ) {}

  /** How far the import of this has come before. @param digest of what is imported, or its name */
  async before(digest: string): Promise<Progress> {
    return (await this.imports.findOneBy({ digest })) ?? { done: 0, imported: 0 };
  }

  /**
   * Writes a batch, and that it is written.
   * @returns undefined where another process has gone on from the same place meanwhile; then nothing is written
   */
  async write(
    digest: string,
    before: Progress,
    looked: number,
    work: (tx: EntityManager) => Promise<number>,
  ): Promise<Progress | undefined> {
    return this.transactions.runAlone(async (tx) => {
      const row = await tx.findOneBy(Import, { digest });
      if ((row?.done ?? 0) !== before.done) return undefined;
      const written = { done: before.done + looked, imported: before.imported + (await work(tx)) };
      const now = new Date();
      await tx.save(Import, { digest, startedAt: row?.startedAt ?? now, updatedAt: now, ...written });
      return written;
    });
  }
}
