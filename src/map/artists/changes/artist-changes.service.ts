import { Injectable } from '@nestjs/common';
import { pickFields } from '../../../platform/validation/response-fields.js';
import { ChangeFeedService, type FeedRecord } from '../../changes/change-feed.service.js';
import type { ChangePage } from '../../changes/change-page.dto.js';
import type { Artist } from '../artist.entity.js';
import { ArtistsStore } from '../artists.store.js';
import { type ArtistChange, type ArtistChangesQuery, toSyncedArtist } from './artist-change.dto.js';

/** Lists the changes of artists. */
@Injectable()
export class ArtistChangesService {
  constructor(
    private readonly feed: ChangeFeedService,
    private readonly artists: ArtistsStore,
  ) {}

  /** @throws DomainError `invalid`, `gone` if `since` is not a valid token */
  list(query: ArtistChangesQuery): Promise<ChangePage<ArtistChange>> {
    const load = async (ids: string[]): Promise<Map<string, FeedRecord>> =>
      new Map((await this.artists.findMany(ids)).map((artist) => [artist.id, toFeedRecord(artist, query.fields)]));
    return this.feed.read('artist', load, query);
  }
}

function toFeedRecord(artist: Artist, fields: string[] | undefined): FeedRecord {
  const [version, updatedAt] = [artist.version, artist.updatedAt.toISOString()];
  if (artist.deletedAt) return { version, updatedAt };
  return { version, updatedAt, text: JSON.stringify(pickFields(toSyncedArtist(artist), fields)) };
}
