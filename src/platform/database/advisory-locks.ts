import type { EntityManager } from 'typeorm';

/**
 * All advisory locks of PostgreSQL, by name. A lock covers one rule, so that unrelated writes do
 * not wait for one another. With ids, it covers the rule for each id. The numbers are arbitrary.
 */
export const LOCKS = {
  /** One process applies migrations. */
  migration: 7_382_150,
  /** One transaction at a time changes the counts of markers in cells and regions. */
  markerCells: 7_382_115,
  /** No artist is renamed while a transaction locks markers, which share the lock. */
  artistNames: 7_382_140,
  /** The name and the id of a region are unique. Imports share the lock: they locate markers. */
  regions: 7_382_141,
  /** One process continues an import. By source. */
  imports: 7_382_142,
  /** The demo is loaded once. */
  demo: 7_382_143,
  /** A username and an e-mail address belong to one account. By username and by address. */
  logins: 7_382_144,
  /** The number of a person's apps is limited, and they end with the account. By owner. */
  appsOfOwner: 7_382_145,
  /** No two apps have names that look alike. By skeleton of the name. */
  appNames: 7_382_146,
  /** The app of a client ID metadata document is created once. By address. */
  clientMetadata: 7_382_154,
  /** No process overwrites the counts of another one. By app. */
  failedCalls: 7_382_147,
  /** The first signing key of an algorithm is created once. */
  signingKeys: 7_382_148,
  /** Deletions of expired rows see complete chains of rows. */
  expiredRows: 7_382_149,
  /** A partition is created and dropped once. By table. */
  partitions: 7_382_151,
  /** The number of messages to an address is limited. By address. */
  mailRecipients: 7_382_152,
  /** A write with an `Idempotency-Key` runs once. By digest of the key. */
  idempotencyKeys: 7_382_153,
} as const;

type LockName = keyof typeof LOCKS;

/**
 * Waits for a lock, and keeps it until the transaction ends. Take it before the rows that it
 * protects are read. SQLite needs no lock, because its transactions run one at a time.
 * @param ids the ids for which the lock is needed; without them, the lock of the whole rule
 */
export async function lock(tx: EntityManager, name: LockName, ...ids: string[]): Promise<void> {
  await takeLocks(tx, 'pg_advisory_xact_lock', name, ids);
}

/** Does the same as `lock`, but waits only for transactions that did not share the lock. */
export async function lockShared(tx: EntityManager, name: LockName, ...ids: string[]): Promise<void> {
  await takeLocks(tx, 'pg_advisory_xact_lock_shared', name, ids);
}

/** Takes a lock like `lock`, but does not wait. @returns whether the lock was free */
export async function tryLock(tx: EntityManager, name: LockName, id: string): Promise<boolean> {
  if (tx.connection.options.type !== 'postgres') return true;
  const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked';
  const [row] = await tx.query<{ locked: boolean }[]>(sql, [LOCKS[name], id]);
  return row!.locked;
}

/** All transactions lock several ids in the same order, which prevents deadlocks. */
async function takeLocks(tx: EntityManager, lockFunction: string, name: LockName, ids: string[]): Promise<void> {
  if (tx.connection.options.type !== 'postgres') return;
  if (ids.length === 0) await tx.query(`SELECT ${lockFunction}($1)`, [LOCKS[name]]);
  else {
    const keys = 'SELECT DISTINCT hashtext(id) AS key FROM unnest(CAST($2 AS text[])) AS id ORDER BY key';
    await tx.query(`SELECT ${lockFunction}($1, key) FROM (${keys}) AS keys`, [LOCKS[name], ids]);
  }
}
