import type { EntityManager } from 'typeorm';
import { query } from './query.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from './advisory-locks.js';
import type { TransactionService } from './transaction.service.js';

/** A table that PostgreSQL partitions by a column with milliseconds since 1970. */
export interface PartitionedTable {
  table: string;
  column: string;
}

/** A partition for the times from `from`, inclusive, to `to`, exclusive. */
export interface Partition {
  name: string;
  from: number;
  to: number;
}

/** Returns the partitions of a table in the order of time, without the DEFAULT partition. */
export async function listPartitions(manager: EntityManager, { table }: PartitionedTable): Promise<Partition[]> {
  const rows = await query<{ name: string; bound: string }>(
    manager,
    `SELECT child.relname AS name, pg_get_expr(child.relpartbound, child.oid) AS bound
     FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
     WHERE inhparent = CAST(:table AS regclass)`,
    { table },
  );
  return rows.flatMap(({ name, bound }) => parseBound(name, bound)).sort((one, other) => one.from - other.from);
}

/** Returns the name of the partition for rows that belong to no other partition. */
export function getDefaultPartition({ table }: PartitionedTable): string {
  return `${table}_default`;
}

/**
 * Returns the partitions that are missing up to a time: those after the last existing one, but none
 * that ends before `from`.
 * @param months length of a new partition
 */
export function planPartitions(
  { table }: PartitionedTable,
  existing: Partition[],
  { from, until, months }: { from: number; until: number; months: number },
): Partition[] {
  const planned: Partition[] = [];
  let start = Math.max(existing.at(-1)?.to ?? 0, getPeriodStart(from, months));
  while (start <= until) {
    const to = getPeriodEnd(start, months);
    planned.push({
      name: `${table}_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`,
      from: start,
      to,
    });
    start = to;
  }
  return planned;
}

/** Creates a partition with the storage parameters of the DEFAULT partition. */
export async function createPartition(
  tx: EntityManager,
  table: PartitionedTable,
  { name, from, to }: Partition,
): Promise<void> {
  const [defaults] = await query<{ parameters: string | null }>(
    tx,
    `SELECT array_to_string(reloptions, ', ') AS parameters FROM pg_class WHERE oid = CAST(:name AS regclass)`,
    { name: getDefaultPartition(table) },
  );
  const storage = defaults?.parameters ? ` WITH (${defaults.parameters})` : '';
  await tx.query(`CREATE TABLE "${name}" PARTITION OF "${table.table}" FOR VALUES FROM (${from}) TO (${to})${storage}`);
}

/** Size of a partition up to which its rows are counted. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/**
 * Drops a partition, unless another process has dropped it.
 * @returns the number of its rows, an estimate for a large partition
 */
export async function dropPartition(tx: EntityManager, name: string): Promise<number> {
  const [partition] = await query<{ isLarge: boolean; estimate: number }>(
    tx,
    `SELECT pg_relation_size(oid) > ${MAX_COUNTED_BYTES} AS "isLarge", reltuples AS estimate
     FROM pg_class WHERE oid = to_regclass(:name)`,
    { name },
  );
  if (!partition) return 0;
  const rows = partition.isLarge ? Math.max(0, partition.estimate) : await countRows(tx, name);
  await tx.query(`DROP TABLE "${name}"`);
  return rows;
}

async function countRows(tx: EntityManager, name: string): Promise<number> {
  const [row] = await query<{ count: string }>(tx, `SELECT count(*) AS count FROM "${name}"`);
  return Number(row!.count);
}

/** Returns the number of rows that are older than a time, at most `limit`. */
export async function countRowsBefore(
  manager: EntityManager,
  { table, column }: PartitionedTable,
  time: number,
  limit: number,
): Promise<number> {
  const [row] = await query<{ count: string }>(
    manager,
    `SELECT count(*) AS count FROM (SELECT 1 FROM "${table}" WHERE "${column}" < ${time} LIMIT ${limit}) AS rows`,
  );
  return Number(row!.count);
}

/** Whether the DEFAULT partition has rows of a period, which then can have no partition. */
export async function hasDefaultRows(
  manager: EntityManager,
  table: PartitionedTable,
  { from, to }: Pick<Partition, 'from' | 'to'>,
): Promise<boolean> {
  const rows = await query(
    manager,
    `SELECT 1 FROM "${getDefaultPartition(table)}" WHERE "${table.column}" >= ${from} AND "${table.column}" < ${to} LIMIT 1`,
  );
  return rows.length > 0;
}

function parseBound(name: string, bound: string): Partition[] {
  const [, from, to] = /FROM \('(\d+)'\) TO \('(\d+)'\)/.exec(bound) ?? [];
  return from !== undefined && to !== undefined ? [{ name, from: Number(from), to: Number(to) }] : [];
}
/** Returns the start of the period that contains a time. A period is a number of months in UTC. */
export function getPeriodStart(time: number, months: number): number {
  const month = getMonth(time);
  return getMonthStart(month - (month % months));
}

/** Returns the end of the period that contains a time, which is the start of the next one. */
export function getPeriodEnd(time: number, months: number): number {
  const month = getMonth(time);
  return getMonthStart(month - (month % months) + months);
}

/** Returns the number of a month since year 0. */
function getMonth(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function getMonthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

/**
 * Milliseconds that a change of tables waits for its locks. Other statements on the table wait
 * behind it.
 */
const DDL_LOCK_TIMEOUT_MS = 300;

const MAX_ATTEMPTS = 10;
const RETRY_INTERVAL_MS = 500;

/** The code of PostgreSQL for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Changes the partitions of a table while other transactions use it, in one process at a time. If
 * a lock of a table is not granted in a short time, it lets the other statements run and tries
 * again.
 * @throws QueryFailedError if no attempt gets the lock
 */
export async function runWithLockTimeout<T>(
  transactions: TransactionService,
  table: string,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactions.run(async (tx) => {
        await lock(tx, 'partitions', table);
        await tx.query(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}`);
        return work(tx);
      });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { driverError?: { code?: unknown } }).driverError?.code === LOCK_NOT_AVAILABLE;
}
