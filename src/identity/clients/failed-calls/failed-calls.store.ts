import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { FailedCall } from './failed-call.entity.js';

/** Number of failed calls that are stored for each app. */
export const MAX_CALLS_PER_APP = 50;

/** Reads and writes failed calls. */
@Injectable()
export class FailedCallsStore {
  constructor(
    @InjectRepository(FailedCall) private readonly calls: Repository<FailedCall>,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the failed calls of an app, the last first. */
  async list(appId: string): Promise<FailedCall[]> {
    return this.calls.find({
      where: { appId },
      order: { lastFailedAt: 'DESC', digest: 'ASC' },
      take: MAX_CALLS_PER_APP,
    });
  }

  /** Adds failed calls of an app to the stored counts, and deletes the oldest above the limit. */
  async save(appId: string, calls: FailedCall[]): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      for (const call of calls) await upsert(tx, call);
      await prune(tx, appId);
    });
  }
}

async function upsert(tx: EntityManager, { lastFailedAt, ...call }: FailedCall): Promise<void> {
  await query(
    tx,
    `INSERT INTO failed_calls (digest, app_id, last_failed_at, count, endpoint, error_code, reason)
     VALUES (:digest, :appId, :lastFailedAt, :count, :endpoint, :errorCode, :reason)
     ON CONFLICT (digest) DO UPDATE
     SET last_failed_at = excluded.last_failed_at, count = failed_calls.count + excluded.count, reason = excluded.reason`,
    { ...call, lastFailedAt: lastFailedAt.getTime() },
  );
}

async function prune(tx: EntityManager, appId: string): Promise<void> {
  await query(
    tx,
    `DELETE FROM failed_calls WHERE app_id = :appId AND digest NOT IN
       (SELECT digest FROM failed_calls WHERE app_id = :appId ORDER BY last_failed_at DESC, digest LIMIT ${MAX_CALLS_PER_APP})`,
    { appId },
  );
}
