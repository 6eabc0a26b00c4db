import { Injectable } from '@nestjs/common';
import { ChangeFeedService } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import type { ChangesQuery } from '../../changes/changes-query.dto.js';
import { MarkersStore } from '../markers.store.js';
import { type MarkerChange, toSyncedMarker } from './marker-change.dto.js';

/** Lists the changes of markers. */
@Injectable()
export class MarkerChangesService {
  constructor(
    private readonly feed: ChangeFeedService,
    private readonly markers: MarkersStore,
  ) {}

  /** @throws ApiError 400, 410 if `since` is not a valid token */
  list(query: ChangesQuery): Promise<ChangePage<MarkerChange>> {
    const load = this.markers.findWithRelations.bind(this.markers);
    return this.feed.read({ type: 'marker', load, toBody: toSyncedMarker }, query);
  }
}
