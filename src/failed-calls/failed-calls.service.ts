import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { digest } from '../crypto/opaque-secret.js';
import { redacted } from '../crypto/redacted.js';
import { query } from '../database/query.js';
import { Transactions } from '../database/transactions.js';
import { FailedCall } from './failed-call.entity.js';

/** How many are kept of an app. */
const KEPT = 50;

/** How many are remembered until they are written. */
const MOST_PENDING = 1000;

/** Milliseconds that a call waits to be written, together with others. */
const PAUSE = 1000;

/** How much of a reason is kept: an address in it can be long. */
const LONGEST = 1000;

/** A call that failed. */
export type Failure = Pick<FailedCall, 'call' | 'error' | 'reason'>;

/**
 * Keeps the last failed calls of each app, for its developer. They are written a moment later and together, so that no answer
 * waits for it or tells by its time that something was written.
 */
@Injectable()
export class FailedCalls implements OnModuleDestroy {
  private readonly logger = new Logger(FailedCalls.name);
  private pending = new Map<string, FailedCall>();
  private timer: NodeJS.Timeout | undefined;
  private writing = Promise.resolve();

  constructor(
    @InjectRepository(FailedCall) private readonly calls: Repository<FailedCall>,
    private readonly transactions: Transactions,
  ) {}

  note(appId: string, failure: Failure): void {
    const [call, error] = [failure.call.slice(0, 200), failure.error.slice(0, 60)];
    const reason = redacted(failure.reason).slice(0, LONGEST);
    const key = digest(JSON.stringify([appId, call, error, reason]));
    const known = this.pending.get(key);
    if (!known && this.pending.size >= MOST_PENDING) return;
    this.pending.set(key, { digest: key, appId, at: new Date(), count: (known?.count ?? 0) + 1, call, error, reason });
    this.timer ??= setTimeout(() => void this.write(), PAUSE).unref();
  }

  /** The last failed calls of an app, the newest first; those of other processes a moment later. */
  async list(appId: string): Promise<FailedCall[]> {
    await this.write();
    return this.calls.find({ where: { appId }, order: { at: 'DESC', digest: 'ASC' }, take: KEPT });
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  /** What cannot be written is lost, and said: it is a help, and no record. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writePending()).catch((error: unknown) => this.logger.warn(error));
    return this.writing;
  }

  private async writePending(): Promise<void> {
    const calls = [...this.pending.values()].sort((one, other) => (one.digest < other.digest ? -1 : 1));
    this.pending = new Map();
    if (calls.length === 0) return;
    await this.transactions.run(async (tx) => {
      for (const call of calls) await add(tx, call);
      for (const appId of new Set(calls.map((call) => call.appId))) await forgetOld(tx, appId);
    });
  }
}

async function add(tx: EntityManager, { at, ...call }: FailedCall): Promise<void> {
  await query(
    tx,
    `INSERT INTO failed_calls (digest, app_id, at, count, call, error, reason)
     VALUES (:digest, :appId, :at, :count, :call, :error, :reason)
     ON CONFLICT (digest) DO UPDATE SET at = excluded.at, count = failed_calls.count + excluded.count`,
    { ...call, at: at.getTime() },
  );
}

async function forgetOld(tx: EntityManager, appId: string): Promise<void> {
  await query(
    tx,
    `DELETE FROM failed_calls WHERE app_id = :appId AND digest NOT IN
       (SELECT digest FROM failed_calls WHERE app_id = :appId ORDER BY at DESC, digest LIMIT ${KEPT})`,
    { appId },
  );
}
