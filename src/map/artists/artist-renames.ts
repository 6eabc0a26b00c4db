import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * Called in the transaction that changes the name or the aliases of an artist, after the row was
 * written. The row is locked until the end of the transaction.
 */
export type ArtistRenameListener = (tx: EntityManager, artistId: string) => Promise<void>;

/** Key of the PostgreSQL advisory lock of renames. The number is arbitrary. */
const ADVISORY_LOCK_KEY = 7_382_140;

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

  /**
   * Prevents renames until the end of the transaction. A transaction that locks a marker calls it
   * first, because it can lock the marker's artists next. A rename locks the artist first and its
   * markers next, so both would wait for each other. On SQLite transactions run one at a time.
   */
  async prevent(tx: EntityManager): Promise<void> {
    await lockNames(tx, 'pg_advisory_xact_lock_shared');
  }

  /**
   * Waits until no transaction has locked a marker. A transaction that may rename an artist calls
   * it before it locks the artist.
   */
  async prepare(tx: EntityManager): Promise<void> {
    await lockNames(tx, 'pg_advisory_xact_lock');
  }

  /** Calls the listeners one after the other, in the order of registration. */
  async notify(tx: EntityManager, artistId: string): Promise<void> {
    for (const listener of this.listeners) await listener(tx, artistId);
  }
}

async function lockNames(tx: EntityManager, lockFunction: string): Promise<void> {
  if (tx.connection.options.type === 'postgres') await tx.query(`SELECT ${lockFunction}($1)`, [ADVISORY_LOCK_KEY]);
}
