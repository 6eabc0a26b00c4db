import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { buildRecordsetSql, query } from '../../../platform/database/query.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { Account } from '../../accounts/account.entity.js';
import { AppUseBufferService } from '../../scopes/app-use-buffer.service.js';
import { AppUse } from './app-use.entity.js';

/** Time for which uses are collected before they are written together. */
const WRITE_INTERVAL_MS = 5000;

/** Rows of one statement. */
const BATCH_SIZE = 1000;

/**
 * Stores on which day each app last called the API for a person. The uses are written in batches,
 * so that no call waits for the database; a crash loses those of the last seconds.
 */
@Injectable()
export class AppUseWriterService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new EventLogger(AppUseWriterService.name, { app_uses_not_saved: 'warn' });
  private timer: NodeJS.Timeout | undefined;
  private lastFlush = Promise.resolve();

  constructor(
    @InjectRepository(AppUse) private readonly storedUses: Repository<AppUse>,
    private readonly uses: AppUseBufferService,
    private readonly transactions: TransactionService,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), WRITE_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Returns the last uses by an account's apps, by app. */
  async findByAccount(accountId: string): Promise<Map<string, Date>> {
    const uses = await this.storedUses.findBy({ accountId });
    return new Map(uses.map(({ appId, lastUsedOn }) => [appId, new Date(lastUsedOn)]));
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(AppUse, { accountId });
  }

  /** Writes the collected uses, after every write that is in progress. */
  flush(): Promise<void> {
    this.lastFlush = this.lastFlush.then(() => this.savePending());
    return this.lastFlush;
  }

  private async savePending(): Promise<void> {
    const uses = this.uses.takePending();
    for (let start = 0; start < uses.length; start += BATCH_SIZE) {
      const batch = uses.slice(start, start + BATCH_SIZE);
      try {
        await this.transactions.run((tx) => save(tx, batch));
      } catch (error) {
        this.uses.forget(batch);
        this.logger.log('app_uses_not_saved', 'The last uses of apps were not saved.', { error });
      }
    }
  }
}

/** Stores the uses of accounts that are not deleted. Waits for a deletion in progress. */
async function save(tx: EntityManager, uses: AppUse[]): Promise<void> {
  const accounts = await tx.find(Account, {
    select: { id: true },
    where: { id: In([...new Set(uses.map(({ accountId }) => accountId))]), deletedAt: IsNull() },
    order: { id: 'ASC' },
    ...(tx.connection.options.type === 'postgres' && { lock: { mode: 'for_key_share' as const } }),
  });
  const ids = new Set(accounts.map(({ id }) => id));
  const input = JSON.stringify(uses.filter(({ accountId }) => ids.has(accountId)));
  // A process that writes late must not replace the day of another one.
  const sql = `INSERT INTO app_uses (account_id, app_id, last_used_on)
    SELECT input."accountId", input."appId", input."lastUsedOn"
    FROM ${buildRecordsetSql(tx, 'accountId', 'appId', 'lastUsedOn')} WHERE true
    ON CONFLICT (account_id, app_id) DO UPDATE SET last_used_on = excluded.last_used_on
    WHERE app_uses.last_used_on < excluded.last_used_on`;
  await query(tx, sql, { input });
}
