import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { redactSecrets } from '../../../platform/logging/redact-secrets.js';
import { runOutsideRequest } from '../../../platform/logging/request-context.js';
import type { FailedCall } from './failed-call.entity.js';
import { FailedCallsStore, MAX_CALLS_PER_APP } from './failed-calls.store.js';

/** Number of apps whose failed calls can wait to be written. */
const MAX_PENDING_APPS = 1000;

/** Time for which failed calls are collected before they are written together. */
const WRITE_DELAY_MS = 1000;

const MAX_ENDPOINT_LENGTH = 200;
const MAX_ERROR_CODE_LENGTH = 60;
const MAX_REASON_LENGTH = 1000;

/** Characters that are invisible, or reorder the text after them. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

/** Numbers, such as the seconds to wait, do not distinguish reasons. */
const NUMBER_PATTERN = /\d+/g;

/** Input of a failed call. */
export interface NewFailedCall extends Pick<FailedCall, 'endpoint' | 'errorCode' | 'reason'> {
  /**
   * Replaces the reason as part of the key, if the client can influence the reason. Only the last
   * reason is stored.
   */
  deduplicationKey?: string;
}

/**
 * Records the last failed calls of each app for its developer. They are written in batches after a
 * delay, so that no response waits for the database, and no response time reveals that a call was
 * recorded.
 */
@Injectable()
export class FailedCallsService implements OnModuleDestroy {
  private readonly logger = new EventLogger(FailedCallsService.name);
  private pending = new Map<string, Map<string, FailedCall>>();
  private flushTimer: NodeJS.Timeout | undefined;
  private lastFlush = Promise.resolve();

  constructor(private readonly store: FailedCallsStore) {}

  /** Records a failed call. Without an app nothing is recorded, but it takes the same time. */
  record(appId: string | undefined, newCall: NewFailedCall): void {
    const call = normalize(appId, newCall);
    if (appId === undefined) return;
    const calls = this.pending.get(appId) ?? new Map<string, FailedCall>();
    const previous = calls.get(call.digest);
    if (!previous && (calls.size >= MAX_CALLS_PER_APP || this.pending.size >= MAX_PENDING_APPS)) return;
    calls.set(call.digest, { ...call, appId, lastFailedAt: new Date(), count: (previous?.count ?? 0) + 1 });
    this.pending.set(appId, calls);
    this.flushTimer ??= runOutsideRequest(() => setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref());
  }

  /**
   * Returns the failed calls of an app, the last first. Calls of other processes appear after their
   * write delay.
   */
  async list(appId: string): Promise<FailedCall[]> {
    await this.flush();
    return this.store.list(appId);
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private flush(): Promise<void> {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    this.lastFlush = this.lastFlush.then(() => this.savePending());
    return this.lastFlush;
  }

  private async savePending(): Promise<void> {
    const pending = this.pending;
    this.pending = new Map();
    for (const [appId, calls] of pending) {
      // Failed calls are a help for developers: if they cannot be written, they are dropped.
      await this.store.save(appId, [...calls.values()]).catch((error: unknown) => {
        this.logger.log('failed_calls_not_saved', 'The failed calls of an app were not saved.', {
          app_id: appId,
          error,
        });
      });
    }
  }
}

/** Truncates and redacts a failed call, and computes the digest of the values that identify it. */
function normalize(
  appId: string | undefined,
  newCall: NewFailedCall,
): Pick<FailedCall, 'digest' | 'endpoint' | 'errorCode' | 'reason'> {
  const endpoint = newCall.endpoint.slice(0, MAX_ENDPOINT_LENGTH);
  const errorCode = newCall.errorCode.slice(0, MAX_ERROR_CODE_LENGTH);
  const visibleReason = newCall.reason.slice(0, MAX_REASON_LENGTH).replace(INVISIBLE_CHARACTERS, '\u{fffd}');
  const reason = redactSecrets(visibleReason);
  const key = newCall.deduplicationKey ?? reason.replace(NUMBER_PATTERN, '#');
  return { digest: computeDigest(JSON.stringify([appId, endpoint, errorCode, key])), endpoint, errorCode, reason };
}
