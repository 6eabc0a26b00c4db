import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { redactSecrets } from '../../../platform/logging/redact-secrets.js';
import { runOutsideRequest } from '../../../platform/logging/request-context.js';
import { findUnknownScopes, parseScope } from '../../scopes/scopes.js';
import type { App } from '../app.entity.js';
import { type AcceptedValues, type FailedCall, mergeFailedCalls } from './failed-call.entity.js';
import { FailedCallsStore, MAX_CALLS_PER_APP } from './failed-calls.store.js';

/** Number of apps whose failed calls can wait to be written. */
const MAX_PENDING_APPS = 1000;

/** Time for which failed calls are collected before they are written together. */
const WRITE_DELAY_MS = 1000;

const MAX_ENDPOINT_LENGTH = 200;
const MAX_ERROR_CODE_LENGTH = 60;
const MAX_REASON_LENGTH = 1000;

/** As long as the longest redirect URI that an app can register. */
const MAX_VALUE_LENGTH = 500;

/** Numbers, such as the seconds to wait, do not distinguish rules. */
const NUMBER_PATTERN = /\d+/g;

/** The rule that a failed call broke, for the developer of the app. */
export interface Violation {
  /**
   * Distinguishes the rule from other rules with the same endpoint and error code. It contains no
   * value of the request. Default: the reason without its numbers.
   */
  rule?: string;
  /** The values that the rule accepts. */
  accepted?: AcceptedValues;
  /** The value that the call sent, if it may be shown; empty if it was missing. */
  sent?: string;
}

/** Input of a failed call. */
export interface NewFailedCall extends Pick<FailedCall, 'endpoint' | 'errorCode' | 'reason'>, Violation {}

/**
 * Records the last failed calls of each app for its developer. They are written in batches after a
 * delay, so that no response waits for the database, and no response time reveals that a call was
 * recorded.
 */
@Injectable()
export class FailedCallsService implements OnModuleDestroy {
  private readonly logger = new EventLogger(FailedCallsService.name, { failed_calls_not_saved: 'warn' });
  private pending = new Map<string, Map<string, FailedCall>>();
  private flushTimer: NodeJS.Timeout | undefined;
  private lastFlush = Promise.resolve();

  constructor(private readonly store: FailedCallsStore) {}

  /** Records a failed call. Without an app nothing is recorded, but it takes the same time. */
  record(appId: string | undefined, newCall: NewFailedCall): void {
    const call = toFailedCall(appId ?? '', newCall);
    if (appId === undefined) return;
    const calls = this.pending.get(appId) ?? new Map<string, FailedCall>();
    const previous = calls.get(call.digest);
    if (!previous && (calls.size >= MAX_CALLS_PER_APP || this.pending.size >= MAX_PENDING_APPS)) return;
    calls.set(call.digest, previous ? mergeFailedCalls(previous, call) : call);
    this.pending.set(appId, calls);
    this.flushTimer ??= runOutsideRequest(() => setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref());
  }

  /** Records that the service ignored unknown names beside known ones in the parameter `scope`. */
  recordUnknownScopes(app: App, endpoint: string, scope: string): void {
    if (findUnknownScopes(scope).length === 0 || parseScope(scope).length === 0) return;
    this.record(app.id, {
      endpoint,
      errorCode: 'unknown_scope',
      reason: 'scope contains names that do not exist. They were ignored.',
      accepted: { source: 'registered', values: app.scopes },
      sent: scope,
    });
  }

  /**
   * Returns the failed calls of an app, the last first. Calls of other processes appear after their
   * write delay.
   */
  async list(appId: string): Promise<FailedCall[]> {
    await this.flush();
    return this.store.list(appId);
  }

  /** Returns the number of failed calls by app, of the entries that failed since a time. */
  async sumByApp(appIds: string[], since: Date): Promise<Map<string, number>> {
    await this.flush();
    return this.store.sumByApp(appIds, since);
  }

  /** Deletes the failed calls of an app that its developer has seen. */
  async clear(appId: string): Promise<void> {
    await this.flush();
    await this.store.clear(appId);
  }

  async deleteAll(tx: EntityManager, appId: string): Promise<void> {
    this.pending.delete(appId);
    await this.store.deleteAll(tx, appId);
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

/** Truncates and redacts a failed call, and computes the digest that identifies its rule. */
function toFailedCall(appId: string, { accepted, sent, ...newCall }: NewFailedCall): FailedCall {
  const endpoint = newCall.endpoint.slice(0, MAX_ENDPOINT_LENGTH);
  const errorCode = newCall.errorCode.slice(0, MAX_ERROR_CODE_LENGTH);
  const reason = redactText(newCall.reason, MAX_REASON_LENGTH);
  const rule = newCall.rule ?? reason.replace(NUMBER_PATTERN, '#');
  const failedAt = new Date();
  const value = sent === undefined ? undefined : redactSentValue(sent, MAX_VALUE_LENGTH, accepted?.values ?? []);
  return {
    digest: computeDigest(JSON.stringify([appId, endpoint, errorCode, rule])),
    appId,
    firstFailedAt: failedAt,
    lastFailedAt: failedAt,
    count: 1,
    endpoint,
    errorCode,
    reason,
    accepted: accepted ?? null,
    sentValues: value === undefined ? [] : [{ value, sentAt: failedAt.getTime() }],
  };
}

/** Characters that are invisible, or reorder the text after them. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** User name and password in a URI. */
const USERINFO = /(:\/\/)[^/?#@]*@/g;

const EMAIL_ADDRESSES = /[\w.+-]{1,64}(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/**
 * Parameters in the query or the fragment of a URI, also percent-encoded. The name and the equals
 * sign can be missing.
 */
const URI_PARAMETERS =
  /([?&#;]|%3f|%26|%23|%3b)((?:(?!%3f|%26|%23|%3b|%3d)[^=&#?;])*(?:=|%3d))?((?:(?!%26|%23|%3b)[^&#;])*)/gi;

/** A redacted secret without other text. It shows the kind of the secret. */
const REDACTED_VALUE = /^(?:sam_[a-z]+_|eyJ)?\[redacted\]…?$/;

/** Returns a text without secrets and invisible characters, at most `maxLength` characters long. */
function redactText(text: string, maxLength: number): string {
  const truncated = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return redactSecrets(truncated.replace(INVISIBLE_CHARACTERS, '\u{fffd}'));
}

/**
 * Returns a sent value without secrets and personal data: without e-mail addresses and credentials,
 * and without values of URI parameters, unless an accepted value has the same parameter.
 */
function redactSentValue(value: string, maxLength: number, acceptedValues: readonly string[]): string {
  return redactText(value, maxLength)
    .replace(URI_PARAMETERS, (parameter: string, start: string, name = '', content: string) => {
      const isKnown = !content || REDACTED_VALUE.test(content) || acceptedValues.some((uri) => uri.includes(parameter));
      return isKnown ? parameter : `${start}${name}[redacted]`;
    })
    .replace(USERINFO, '$1[redacted]@')
    .replace(EMAIL_ADDRESSES, '[redacted]');
}
