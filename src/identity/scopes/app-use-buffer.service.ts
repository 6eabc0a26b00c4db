import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.decorator.js';

/** A day in UTC on which an app called the API for a person. */
export interface AppUseRecord {
  accountId: string;
  appId: string;
  /** `YYYY-MM-DD` */
  lastUsedOn: string;
}

/** Number of pairs of an app and a person whose use today is remembered. */
const MAX_REMEMBERED_USES = 50_000;

const DAY_MS = 24 * 3600_000;

/**
 * Collects which apps called the API for which people, once a day for each pair. The OAuth module
 * takes and stores the uses.
 */
@Injectable()
export class AppUseBufferService {
  private readonly lastDays = new LRUCache<string, number>({ max: MAX_REMEMBERED_USES });
  private pending = new Map<string, AppUseRecord>();

  /** Notes a call. It costs one lookup, except for the first call of the day. */
  record({ accountId, appId }: Caller): void {
    const key = `${accountId} ${appId}`;
    const day = Math.floor(Date.now() / DAY_MS);
    if (this.lastDays.get(key) === day) return;
    if (this.pending.size >= MAX_REMEMBERED_USES) return;
    this.lastDays.set(key, day);
    this.pending.set(key, { accountId, appId, lastUsedOn: new Date(day * DAY_MS).toISOString().slice(0, 10) });
  }

  /** Returns the uses that were not taken yet. */
  takePending(): AppUseRecord[] {
    const uses = [...this.pending.values()];
    this.pending = new Map();
    return uses;
  }

  /** Forgets uses that could not be stored, so that the next call records them again. */
  forget(uses: AppUseRecord[]): void {
    for (const { accountId, appId } of uses) this.lastDays.delete(`${accountId} ${appId}`);
  }
}
