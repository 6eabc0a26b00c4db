import { Injectable } from '@nestjs/common';
import { pickFields } from '../../../platform/validation/response-fields.js';
import { ChangeFeedService } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import type { Artist } from '../artist.entity.js';
import { ArtistsStore } from '../artists.store.js';
import { type ArtistChange, type ArtistChangesQuery, type SyncedArtist, toSyncedArtist } from './artist-change.dto.js';

/** Lists the changes of artists. */
@Injectable()
export class ArtistChangesService {
  constructor(
    private readonly feed: ChangeFeedService,
    private readonly artists: ArtistsStore,
  ) {}

  /** @throws DomainError `invalid`, `gone` if `since` is not a valid token */
  list(query: ArtistChangesQuery): Promise<ChangePage<ArtistChange>> {
    const load = async (ids: string[]): Promise<Map<string, Artist>> =>
      new Map((await this.artists.findMany(ids)).map((artist) => [artist.id, artist]));
    const toBody = (row: Artist): Pick<ArtistChange, 'artist'> => ({
      artist: pickFields(toSyncedArtist(row), query.fields) as SyncedArtist,
    });
    return this.feed.read({ type: 'artist', load, toBody }, query);
  }
}
