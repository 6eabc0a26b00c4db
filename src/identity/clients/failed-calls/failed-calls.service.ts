import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { redactSecrets } from '../../../platform/logging/redact-secrets.js';
import { query } from '../../../platform/database/query.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { runOutsideRequest } from '../../../platform/logging/request-context.js';
import { FailedCall } from './failed-call.entity.js';

/** How many are kept of an app. */
const MAX_CALLS_PER_APP = 50;

/** Of how many apps they are remembered until they are written. */
const MAX_PENDING_APPS = 1000;

/** Milliseconds that a call waits to be written, together with others. */
const WRITE_DELAY_MS = 1000;

/** Characters of a reason that are kept: an address in it can be long. */
const MAX_REASON_LENGTH = 1000;

/** What cannot be shown, or shows what comes after it in another place. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

/** What tells no reasons apart: for how long to wait, for one. */
const NUMBER_PATTERN = /\d+/g;

/** A call that failed. */
export interface NewFailedCall extends Pick<FailedCall, 'endpoint' | 'errorCode' | 'reason'> {
  /** What tells it from others, where whoever called has a word in the reason: of one kind only the last is kept. */
  deduplicationKey?: string;
}

/**
 * Keeps the last failed calls of each app, for its developer. They are written a moment later and together, so that no answer
 * waits for it or tells by its time that something was written.
 */
@Injectable()
export class FailedCallsService implements OnModuleDestroy {
  private readonly logger = new Logger(FailedCallsService.name);
  private pending = new Map<string, Map<string, FailedCall>>();
  private flushTimer: NodeJS.Timeout | undefined;
  private pendingFlush = Promise.resolve();

  constructor(
    @InjectRepository(FailedCall) private readonly calls: Repository<FailedCall>,
    private readonly transactions: TransactionService,
  ) {}

  /** @param appId the app; where there is none, nothing is kept, and it takes as long, so that the time does not tell */
  record(appId: string | undefined, { deduplicationKey, ...failure }: NewFailedCall): void {
    const [endpoint, errorCode] = [failure.endpoint.slice(0, 200), failure.errorCode.slice(0, 60)];
    const reason = redactSecrets(failure.reason.slice(0, MAX_REASON_LENGTH).replace(INVISIBLE_CHARACTERS, '\u{fffd}'));
    const key = computeDigest(
      JSON.stringify([appId, endpoint, errorCode, deduplicationKey ?? reason.replace(NUMBER_PATTERN, '#')]),
    );
    if (appId === undefined) return;
    const calls = this.pending.get(appId) ?? new Map<string, FailedCall>();
    const known = calls.get(key);
    if (!known && (calls.size >= MAX_CALLS_PER_APP || this.pending.size >= MAX_PENDING_APPS)) return;
    calls.set(key, {
      digest: key,
      appId,
      lastFailedAt: new Date(),
      count: (known?.count ?? 0) + 1,
      endpoint,
      errorCode,
      reason,
    });
    this.pending.set(appId, calls);
    this.flushTimer ??= runOutsideRequest(() => setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref());
  }

  /** The last failed calls of an app, the newest first; those of other processes a moment later. */
  async list(appId: string): Promise<FailedCall[]> {
    await this.flush();
    return this.calls.find({
      where: { appId },
      order: { lastFailedAt: 'DESC', digest: 'ASC' },
      take: MAX_CALLS_PER_APP,
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private flush(): Promise<void> {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    this.pendingFlush = this.pendingFlush.then(() => this.savePending());
    return this.pendingFlush;
  }

  /** What cannot be written is lost, and said: it is a help, and no record. */
  private async savePending(): Promise<void> {
    const pending = this.pending;
    this.pending = new Map();
    for (const [appId, calls] of pending) {
      await this.transactions
        .runExclusive((tx) => saveAndPrune(tx, appId, [...calls.values()]))
        .catch((error: unknown) => this.logger.warn(error));
    }
  }
}

async function saveAndPrune(tx: EntityManager, appId: string, calls: FailedCall[]): Promise<void> {
  for (const { lastFailedAt, ...call } of calls) {
    await query(
      tx,
      `INSERT INTO failed_calls (digest, app_id, last_failed_at, count, endpoint, error_code, reason)
       VALUES (:digest, :appId, :lastFailedAt, :count, :endpoint, :errorCode, :reason)
       ON CONFLICT (digest) DO UPDATE
       SET last_failed_at = excluded.last_failed_at, count = failed_calls.count + excluded.count, reason = excluded.reason`,
      { ...call, lastFailedAt: lastFailedAt.getTime() },
    );
  }
  await query(
    tx,
    `DELETE FROM failed_calls WHERE app_id = :appId AND digest NOT IN
       (SELECT digest FROM failed_calls WHERE app_id = :appId ORDER BY last_failed_at DESC, digest LIMIT ${MAX_CALLS_PER_APP})`,
    { appId },
  );
}
