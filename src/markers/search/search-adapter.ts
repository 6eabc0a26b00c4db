import type { EntityManager } from 'typeorm';
import type { Area } from './places.js';
import type { Indexed, Piece } from './search.js';

/**
 * What one kind of database adds to the search: how it finds by place and by word. All else, and so the order of what is
 * found, is the same for both.
 */
export interface SearchAdapter {
  /** So many rows of an area are cheaper to sort than the map is to walk; and so many, once walking has found too few. */
  readonly few: number;
  readonly many: number;
  /** Whether rows come in the order of what leads to them: then no more of them are looked at than are wanted. */
  readonly keepsOrder: boolean;
  /** An expression for the words of the row `s`. */
  readonly words: string;

  /** Selects `seq` of what lies in areas. */
  inAreas(areas: Area[]): Piece;
  /** Selects `seq` of what holds the terms. */
  withTerms(terms: string[]): Piece;
  /** Whether the row `s` holds the terms. */
  hasTerms(terms: string[]): Piece;
  /** `s`, of what holds the terms, after `:after`, in order: a FROM and a WHERE. */
  walkTerms(terms: string[]): Piece;

  /** What a row holds besides what it holds on both. */
  columnsOf(marker: Indexed): Record<string, unknown>;
  /** Leads to rows by place and words, where that lies outside of the row. */
  link(tx: EntityManager, rows: NumberedMarker[]): Promise<void>;
  unlink(tx: EntityManager, seq: number): Promise<void>;
}

export interface NumberedMarker {
  seq: number;
  marker: Indexed;
}

/** What the adapter for the database at hand is injected by. */
export const SEARCH_ADAPTER = Symbol('search adapter');
