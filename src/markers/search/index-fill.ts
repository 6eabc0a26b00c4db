import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { Artist } from '../../artists/artist.entity.js';
import { ArtistsStore } from '../../artists/artists-store.js';
import { Transactions } from '../../database/transactions.js';
import { Marker } from '../marker.entity.js';
import { MarkerIndex } from './marker-index.js';

/** How many markers are indexed at once. */
const BATCH = 500;

/** Indexes, at the start, a map that was made before there was an index. */
@Injectable()
export class IndexFill implements OnApplicationBootstrap {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly index: MarkerIndex,
    private readonly artists: ArtistsStore,
    private readonly transactions: Transactions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const old = await this.manager.findOne(Artist, { where: { words: IsNull() } });
    if (!old && !(await this.isBeside(this.manager))) return;
    await this.transactions.runAlone(async (tx) => {
      await this.artists.fillIndex(tx);
      if (await this.isBeside(tx)) await this.fill(tx);
    });
  }

  /** Whether there is a map, and an index with nothing in it. */
  private async isBeside(tx: EntityManager): Promise<boolean> {
    return (await this.index.isEmpty(tx)) && (await tx.existsBy(Marker, {}));
  }

  private async fill(tx: EntityManager): Promise<void> {
    for (let after = ''; ;) {
      const where = { id: MoreThan(after) };
      const markers = await tx.find(Marker, { where, relations: { artists: true }, order: { id: 'ASC' }, take: BATCH });
      await this.index.add(tx, markers);
      if (markers.length < BATCH) return;
      after = markers.at(-1)!.id;
    }
  }
}
