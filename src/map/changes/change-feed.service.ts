import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { RenderedJson } from '../../platform/http/rendered-json.js';
import type { ChangePage, ChangesQuery, RecordChange } from './change-page.dto.js';
import { ChangesStore, type FeedPosition } from './changes.store.js';
import type { MapRecordType } from './map-change.entity.js';
import { createInvalidSyncTokenError, createSyncTokenExpiredError, SyncTokensService } from './sync-tokens.service.js';

/** A record of a feed. */
export interface FeedRecord {
  version: number;
  /** Time of the last change (RFC 3339). */
  updatedAt: string;
  /** The record as JSON text; undefined if it was deleted. */
  text?: string;
}

/**
 * Reads a feed. The order of the queries matters: a record is loaded after its number was read. If
 * it changes in between, it is delivered again with a later number.
 */
@Injectable()
export class ChangeFeedService {
  constructor(
    private readonly changes: ChangesStore,
    private readonly tokens: SyncTokensService,
    private readonly settings: Settings,
  ) {}

  /**
   * @param load loads the records of a page by their ids
   * @throws DomainError `invalid`, `gone` if `since` is not a valid token
   */
  async read<Change extends RecordChange>(
    type: MapRecordType,
    load: (ids: string[]) => Promise<Map<string, FeedRecord>>,
    { since, limit }: ChangesQuery,
  ): Promise<ChangePage<Change>> {
    const start = since === undefined ? await this.startPass() : await this.resume(type, since);
    const found = await this.changes.findAfter(type, start, limit + 1);
    const shown = found.slice(0, limit);
    const hasMore = found.length > limit;
    const end = advance(start, shown.at(-1)?.seq, hasMore);
    const records = await load(shown.map(({ id }) => id));
    // A token names the epoch of its position or a later one, so the epoch is read last.
    const nextSince = this.tokens.issue(type, { ...end, epoch: await this.changes.findCurrentEpoch() });
    const data = shown.map(({ id }) => renderChange<Change>(type, id, records.get(id)!));
    return { ...this.settings.licenseMembers, data, page: { nextSince, hasMore } };
  }

  private async startPass(): Promise<FeedPosition> {
    return { after: 0, passStart: await this.changes.findLastSeq() };
  }

  private async resume(type: MapRecordType, since: string): Promise<FeedPosition> {
    const token = this.tokens.verify(type, since);
    if (!token) throw createInvalidSyncTokenError();
    const { epoch, after, passStart, isExpired } = token;
    if (isExpired) throw createSyncTokenExpiredError();
    const epochEnd = await this.changes.findEpochEnd(epoch);
    if (epochEnd === undefined || Math.max(after, passStart ?? 0) > epochEnd) throw createSyncTokenExpiredError();
    return { after, passStart };
  }
}

/** Returns the position at which a page ends. The first pass ends with the last page. */
function advance({ after, passStart }: FeedPosition, lastSeq: number | undefined, hasMore: boolean): FeedPosition {
  const reached = lastSeq ?? after;
  if (hasMore) return { after: reached, passStart };
  return { after: Math.max(reached, passStart ?? 0) };
}

/** Renders a change. The record is the member `marker` or `artist`. */
function renderChange<Change extends RecordChange>(
  type: MapRecordType,
  id: string,
  { version, updatedAt, text }: FeedRecord,
): RenderedJson<Change> {
  const change = JSON.stringify({ id, change: text === undefined ? 'deleted' : 'upserted', version, updatedAt });
  return new RenderedJson([text === undefined ? change : `${change.slice(0, -1)},"${type}":${text}}`]);
}
