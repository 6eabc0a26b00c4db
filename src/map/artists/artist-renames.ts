import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * Called in the transaction that changes the name or the aliases of an artist, after the row was
 * written. The row is locked until the end of the transaction.
 */
export type ArtistRenameListener = (tx: EntityManager, artistId: string) => Promise<void>;

/**
 * Notifies other modules, which store copies of artists' names. They register in `onModuleInit`.
 */
@Injectable()
export class ArtistRenames {
  private readonly listeners: ArtistRenameListener[] = [];

  /** Adds a listener. */
  register(listener: ArtistRenameListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listeners one after the other, in the order of registration. */
  async notify(tx: EntityManager, artistId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, artistId);
  }
}
