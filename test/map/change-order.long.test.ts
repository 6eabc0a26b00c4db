import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { Artist } from '../../src/map/artists/artist.entity.js';
import { ArtistRenamesService } from '../../src/map/artists/artist-renames.service.js';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import type { ChangeAuthor } from '../../src/map/history/history.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAccount, createArtist, createMarker, issueAccessToken } from '../support/factories.js';
import { FeedReader } from '../support/feed-reader.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { SeededRandom } from '../support/seeded-random.js';
import { type ResponseBody, type TestResponse, TestServer } from '../support/test-server.js';

const SEEDS = [1, 2, 3, 4, 5];
const STEPS = 250;
const MAX_WRITERS = 5;

/** A write of one transaction, and what it leaves if it commits. */
interface Write {
  transaction: HeldTransaction;
  /** The type, id and version of the written record. Set when the transaction has written. */
  written?: { type: 'marker' | 'artist'; id: string; version: number };
}

/**
 * Runs transactions that write at the same time and end in a random order, and an app that polls in
 * between. The feeds may number a change only if no transaction with a lower number can still
 * commit. On SQLite, the transactions run one after the other.
 */
class Model {
  readonly markers: FeedReader;
  readonly artists: FeedReader;
  private readonly writes = new Set<Write>();
  private readonly committed: NonNullable<Write['written']>[] = [];
  /** The latest version of each record that the app has seen. */
  private readonly seen = new Map<string, number>();
  private readonly random: SeededRandom;

  constructor(
    private readonly server: TestServer,
    private readonly token: string,
    private readonly records: { artist: Artist; markerIds: string[]; authorId: string },
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
    const openFeed = (member: 'marker' | 'artist', limit: number): FeedReader =>
      new FeedReader(member, (query) => this.get(`/api/${member}s/changes${query}`), limit);
    this.markers = openFeed('marker', 2);
    this.artists = openFeed('artist', 1);
  }

  get(path: string): Promise<TestResponse> {
    return this.server.request('GET', path, { token: this.token });
  }

  async run(): Promise<void> {
    await this.catchUp();
    for (let step = 0; step < STEPS; step++) await this.takeStep();
    while (this.writes.size > 0) await this.endOne();
    await this.catchUp();
  }

  private async takeStep(): Promise<void> {
    const choice = this.random.next();
    if (choice < 0.4 && this.writes.size < MAX_WRITERS) await this.startOne();
    else if (choice < 0.75) await this.endOne();
    else if (choice < 0.9) await this.poll();
    else await this.catchUp();
  }

  /** Starts a transaction, and polls while it may wait for another one. */
  private async startOne(): Promise<void> {
    const point = this.random.randomBoolean(0.5) ? 'before the commit' : 'before the last write';
    const isRename = this.random.randomBoolean(0.2);
    const id = isRename ? this.records.artist.id : this.random.pickOne(this.records.markerIds);
    const write = {} as Write;
    const work = async (tx: EntityManager): Promise<void> => {
      write.written = isRename ? await this.renameArtist(tx, id) : await this.changeMarker(tx, id);
    };
    write.transaction = new HeldTransaction(this.server.get(TransactionService), point, work);
    this.writes.add(write);
    void write.transaction.ended.then((isCommitted) => {
      this.writes.delete(write);
      if (isCommitted) this.committed.push(write.written!);
    });
    await Promise.race([write.transaction.reached, this.poll()]);
  }

  private async renameArtist(tx: EntityManager, id: string): Promise<Write['written']> {
    const artists = this.server.get(ArtistsStore);
    await this.server.get(ArtistRenamesService).prepare(tx);
    const artist = (await artists.findForUpdate(tx, id))!;
    const name = `Name ${artist.version + 1}`;
    const { version } = await artists.update(tx, artist, { name }, this.createAuthorship());
    return { type: 'artist', id, version };
  }

  /** Changes a marker, deletes it, or restores it if it is deleted. */
  private async changeMarker(tx: EntityManager, id: string): Promise<Write['written']> {
    const markers = this.server.get(MarkersStore);
    const marker = (await markers.findForUpdate(tx, id))!;
    const by = this.createAuthorship();
    const { version } =
      marker.deletedAt || this.random.randomBoolean(0.2)
        ? await markers.setDeleted(tx, marker, marker.deletedAt ? null : new Date(), by)
        : await markers.update(tx, marker, { title: `Version ${marker.version + 1}` }, by);
    return { type: 'marker', id, version };
  }

  /** Releases one of the waiting transactions, and polls while it ends or waits for another one. */
  private async endOne(): Promise<void> {
    const writes = [...this.writes];
    const held = writes.filter(({ transaction }) => transaction.isHeld);
    if (held.length > 0)
      this.random.pickOne(held).transaction.release(this.random.randomBoolean(0.2) ? 'abort' : 'commit');
    await Promise.race([this.poll(), ...writes.map(({ transaction }) => transaction.ended)]);
  }

  /** Reads one page of each feed. A record never returns to an older version. */
  private async poll(): Promise<void> {
    for (const feed of [this.markers, this.artists]) {
      const { data } = await feed.readPage();
      for (const { id, version } of data as ResponseBody[]) {
        expect(version).toBeGreaterThanOrEqual(this.seen.get(id as string) ?? 1);
        this.seen.set(id as string, version as number);
      }
    }
  }

  /** Reads both feeds to their end. Every change that was committed before must have arrived. */
  private async catchUp(): Promise<void> {
    const committed = [...this.committed];
    for (const feed of [this.markers, this.artists]) {
      for (const { id, version } of await feed.readAll()) this.seen.set(id as string, version as number);
    }
    for (const { type, id, version } of committed) {
      expect(this.seen.get(id)).toBeGreaterThanOrEqual(version);
      if (type === 'artist') this.expectName(id, version);
    }
  }

  /** Expects that the copies of artworks show the artist's name of a version or of a later one. */
  private expectName(artistId: string, version: number): void {
    for (const { artists } of this.markers.copy.values()) {
      const name = (artists as ResponseBody[]).find(({ id }) => id === artistId)?.name as string | undefined;
      if (name !== undefined) expect(Number(name.split(' ')[1])).toBeGreaterThanOrEqual(version);
    }
  }

  private createAuthorship(): ChangeAuthor {
    return { editId: generateId('edt'), authorId: this.records.authorId, createdAt: new Date() };
  }
}

describe('Feeds of changes with concurrent writers', () => {
  let server: TestServer;
  let token: string;
  let authorId: string;

  beforeAll(async () => {
    server = await TestServer.start();
    token = await issueAccessToken(server, ['markers:read', 'artists:read']);
    authorId = (await createAccount(server)).id;
  });
  afterAll(() => server.stop());

  it.each(SEEDS)('deliver every committed change (seed %i)', async (seed) => {
    const artist = await createArtist(server, 'Name 1');
    const artistIds = [artist.id];
    const markerIds: string[] = [];
    for (let count = 0; count < 6; count++) markerIds.push((await createMarker(server, { artistIds })).id);
    const model = new Model(server, token, { artist, markerIds, authorId }, seed);
    await model.run();

    for (const id of markerIds) {
      const { status, body } = await model.get(`/api/markers/${id}`);
      const { openEditCount: _, ...marker } = body;
      expect(model.markers.copy.get(id)).toEqual(status === 410 ? undefined : marker);
    }
    const { artworkCount: _, ...current } = (await model.get(`/api/artists/${artist.id}`)).body;
    expect(model.artists.copy.get(artist.id)).toEqual(current);
  });
});
