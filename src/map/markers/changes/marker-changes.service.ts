import { Injectable } from '@nestjs/common';
import { pickFields } from '../../../platform/validation/response-fields.js';
import { ChangeFeedService } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import { toMarkerResponse } from '../marker.dto.js';
import { MarkerRelationsStore } from '../marker-relations.store.js';
import { PreparedMarkersStore } from '../responses/prepared-markers.store.js';
import { type MarkerChange, type MarkerChangesQuery, type SyncedMarker, toSyncedMarker } from './marker-change.dto.js';

/** The newest state of a marker. */
interface MarkerState {
  id: string;
  version: number;
  updatedAt: Date;
  deletedAt: Date | null;
  body: SyncedMarker;
}

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
    const load = this.load.bind(this);
    const toBody = ({ body }: MarkerState): Pick<MarkerChange, 'marker'> => ({
      marker: pickFields(body, query.fields) as SyncedMarker,
    });
    return this.feed.read({ type: 'marker', load, toBody }, query);
  }

  /** Reads live markers from their prepared responses, and deleted ones from their rows. */
  private async load(ids: string[]): Promise<Map<string, MarkerState>> {
    const states = new Map<string, MarkerState>();
    for (const [id, text] of await this.prepared.findByIds(ids)) {
      const body = toSyncedMarker(text.parse());
      states.set(id, { id, version: body.version, updatedAt: new Date(body.updatedAt), deletedAt: null, body });
    }
    const others = await this.markers.findWithRelations(ids.filter((id) => !states.has(id)));
    for (const [id, marker] of others) states.set(id, { ...marker, body: toSyncedMarker(toMarkerResponse(marker)) });
    return states;
  }
}
