import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { digest } from '../crypto/opaque-secret.js';
import { redacted } from '../crypto/redacted.js';
import { query } from '../database/query.js';
import { Transactions } from '../database/transactions.js';
import { outsideOfRequests } from '../http/current-request.js';
import { FailedCall } from './failed-call.entity.js';

/** How many are kept of an app. */
const KEPT = 50;

/** Of how many apps they are remembered until they are written. */
const MOST_APPS = 1000;

/** Milliseconds that a call waits to be written, together with others. */
const PAUSE = 1000;

/** Characters of a reason that are kept: an address in it can be long. */
const LONGEST = 1000;

/** What cannot be shown, or shows what comes after it in another place. */
const UNSEEN = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

/** What tells no reasons apart: for how long to wait, for one. */
const NUMBERS = /\d+/g;

/** A call that failed. */
export interface Failure extends Pick<FailedCall, 'call' | 'error' | 'reason'> {
  /** What tells it from others, where whoever called has a word in the reason: of one kind only the last is kept. */
  kind?: string;
}

/**
 * Keeps the last failed calls of each app, for its developer. They are written a moment later and together, so that no answer
 * waits for it or tells by its time that something was written.
 */
@Injectable()
export class FailedCalls implements OnModuleDestroy {
  private readonly logger = new Logger(FailedCalls.name);
  private pending = new Map<string, Map<string, FailedCall>>();
  private timer: NodeJS.Timeout | undefined;
  private writing = Promise.resolve();

  constructor(
    @InjectRepository(FailedCall) private readonly calls: Repository<FailedCall>,
    private readonly transactions: Transactions,
  ) {}

  /** @param appId the app; where there is none, nothing is kept, and it takes as long, so that the time does not tell */
  note(appId: string | undefined, { kind, ...failure }: Failure): void {
    const [call, error] = [failure.call.slice(0, 200), failure.error.slice(0, 60)];
    const reason = redacted(failure.reason.slice(0, LONGEST).replace(UNSEEN, '\u{fffd}'));
    const key = digest(JSON.stringify([appId, call, error, kind ?? reason.replace(NUMBERS, '#')]));
    if (appId === undefined) return;
    const calls = this.pending.get(appId) ?? new Map<string, FailedCall>();
    const known = calls.get(key);
    if (!known && (calls.size >= KEPT || this.pending.size >= MOST_APPS)) return;
    calls.set(key, { digest: key, appId, at: new Date(), count: (known?.count ?? 0) + 1, call, error, reason });
    this.pending.set(appId, calls);
    this.timer ??= outsideOfRequests(() => setTimeout(() => void this.write(), PAUSE).unref());
  }

  /** The last failed calls of an app, the newest first; those of other processes a moment later. */
  async list(appId: string): Promise<FailedCall[]> {
    await this.write();
    return this.calls.find({ where: { appId }, order: { at: 'DESC', digest: 'ASC' }, take: KEPT });
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writePending());
    return this.writing;
  }

  /** What cannot be written is lost, and said: it is a help, and no record. */
  private async writePending(): Promise<void> {
    const pending = this.pending;
    this.pending = new Map();
    for (const [appId, calls] of pending) {
      await this.transactions
        .runAlone((tx) => keep(tx, appId, [...calls.values()]))
        .catch((error: unknown) => this.logger.warn(error));
    }
  }
}

async function keep(tx: EntityManager, appId: string, calls: FailedCall[]): Promise<void> {
  for (const { at, ...call } of calls) {
    await query(
      tx,
      `INSERT INTO failed_calls (digest, app_id, at, count, call, error, reason)
       VALUES (:digest, :appId, :at, :count, :call, :error, :reason)
       ON CONFLICT (digest) DO UPDATE
       SET at = excluded.at, count = failed_calls.count + excluded.count, reason = excluded.reason`,
      { ...call, at: at.getTime() },
    );
  }
  await query(
    tx,
    `DELETE FROM failed_calls WHERE app_id = :appId AND digest NOT IN
       (SELECT digest FROM failed_calls WHERE app_id = :appId ORDER BY at DESC, digest LIMIT ${KEPT})`,
    { appId },
  );
}
