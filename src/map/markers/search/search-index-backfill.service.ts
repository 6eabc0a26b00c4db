import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { Artist } from '../../artists/artist.entity.js';
import { ArtistsStore } from '../../artists/artists.store.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { Marker } from '../marker.entity.js';
import { MarkerIndexStore } from './marker-index.store.js';

/** How many markers are indexed at once. */
const BATCH_SIZE = 500;

/** Indexes, at the start, a map that was made before there was an index. */
@Injectable()
export class SearchIndexBackfillService implements OnApplicationBootstrap {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly index: MarkerIndexStore,
    private readonly artists: ArtistsStore,
    private readonly transactions: TransactionService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const old = await this.manager.findOne(Artist, { where: { searchText: IsNull() } });
    if (!old && !(await this.isMarkerIndexMissing(this.manager))) return;
    await this.transactions.runExclusive(async (tx) => {
      await this.artists.backfillSearchText(tx);
      if (await this.isMarkerIndexMissing(tx)) await this.backfillMarkers(tx);
    });
  }

  /** Whether there is a map, and an index with nothing in it. */
  private async isMarkerIndexMissing(tx: EntityManager): Promise<boolean> {
    return (await this.index.isEmpty(tx)) && (await tx.existsBy(Marker, {}));
  }

  private async backfillMarkers(tx: EntityManager): Promise<void> {
    for (let after = ''; ;) {
      const where = { id: MoreThan(after) };
      const markers = await tx.find(Marker, {
        where,
        relations: { artists: true },
        order: { id: 'ASC' },
        take: BATCH_SIZE,
      });
      await this.index.add(tx, markers);
      if (markers.length < BATCH_SIZE) return;
      after = markers.at(-1)!.id;
    }
  }
}
