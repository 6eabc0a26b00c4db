import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lock, lockShared } from '../../platform/database/advisory-locks.js';

/**
 * Called in the transaction that changes the name or the aliases of an artist, after the row was
 * written. The row is locked until the end of the transaction.
 */
export type OnArtistRenamed = (tx: EntityManager, artistId: string) => Promise<void>;

/**
 * Notifies other modules, which store copies of artists' names. They register in `onModuleInit`.
 */
@Injectable()
export class ArtistRenamesService {
  private readonly listeners: OnArtistRenamed[] = [];

  register(listener: OnArtistRenamed): void {
    this.listeners.push(listener);
  }

  /**
   * Prevents renames until the end of the transaction. A transaction that locks a marker calls it
   * first, because it can lock the marker's artists next. A rename locks the artist first and its
   * markers next, so both would wait for each other. On SQLite transactions run one at a time.
   */
  async prevent(tx: EntityManager): Promise<void> {
    await lockShared(tx, 'artistNames');
  }

  /**
   * Waits until no transaction has locked a marker. A transaction that may rename an artist calls
   * it before it locks the artist.
   */
  async prepare(tx: EntityManager): Promise<void> {
    await lock(tx, 'artistNames');
  }

  /** Calls the listeners one after the other, in the order of registration. */
  async notify(tx: EntityManager, artistId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, artistId);
  }
}
