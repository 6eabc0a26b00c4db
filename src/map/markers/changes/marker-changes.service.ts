import { Injectable } from '@nestjs/common';
import { pickFields } from '../../../platform/validation/response-fields.js';
import { ChangeFeedService } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import type { Marker } from '../marker.entity.js';
import { MarkerRelationsStore } from '../marker-relations.store.js';
import { type MarkerChange, type MarkerChangesQuery, type SyncedMarker, toSyncedMarker } from './marker-change.dto.js';

/** Lists the changes of markers. */
@Injectable()
export class MarkerChangesService {
  constructor(
    private readonly feed: ChangeFeedService,
    private readonly markers: MarkerRelationsStore,
  ) {}

  /** @throws DomainError `invalid`, `gone` if `since` is not a valid token */
  list(query: MarkerChangesQuery): Promise<ChangePage<MarkerChange>> {
    const load = this.markers.findWithRelations.bind(this.markers);
    const toBody = (row: Marker): Pick<MarkerChange, 'marker'> => ({
      marker: pickFields(toSyncedMarker(row), query.fields) as SyncedMarker,
    });
    return this.feed.read({ type: 'marker', load, toBody }, query);
  }
}
