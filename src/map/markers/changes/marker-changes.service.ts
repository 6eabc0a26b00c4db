import { Injectable } from '@nestjs/common';
import { ChangeFeedService, type FeedRecord } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import { toMarkerResponse } from '../marker.dto.js';
import { MarkerRelationsStore } from '../marker-relations.store.js';
import { PreparedMarkersStore } from '../responses/prepared-markers.store.js';
import { type MarkerChange, type MarkerChangesQuery, toFeedRecord } from './marker-change.dto.js';

/** Lists the changes of markers. */
@Injectable()
export class MarkerChangesService {
  constructor(
    private readonly feed: ChangeFeedService,
    private readonly prepared: PreparedMarkersStore,
    private readonly markers: MarkerRelationsStore,
  ) {}

  /** @throws DomainError `invalid`, `gone` if `since` is not a valid token */
  list(query: MarkerChangesQuery): Promise<ChangePage<MarkerChange>> {
    return this.feed.read('marker', (ids) => this.load(ids, query.fields), query);
  }

  /** Reads live markers from their prepared responses, and deleted ones from their rows. */
  private async load(ids: string[], fields: string[] | undefined): Promise<Map<string, FeedRecord>> {
    const records = new Map<string, FeedRecord>();
    for (const [id, { text }] of await this.prepared.findByIds(ids)) records.set(id, toFeedRecord(text, fields));
    const others = await this.markers.findWithRelations(ids.filter((id) => !records.has(id)));
    for (const [id, marker] of others) {
      const deleted = { version: marker.version, updatedAt: marker.updatedAt.toISOString() };
      records.set(id, marker.deletedAt ? deleted : toFeedRecord(JSON.stringify(toMarkerResponse(marker)), fields));
    }
    return records;
  }
}
