/**
 * The advisory locks of PostgreSQL, by name: each covers one rule, and its number is arbitrary.
 * Locks end with their transaction. SQLite needs none, because its transactions run one at a time.
 */
export const LOCKS = {
  /** The process that applies migrations. */
  migration: 7_382_150,
  /** The counts of markers in cells and regions, which triggers update at the commit. */
  markerCells: 7_382_115,
} as const;
