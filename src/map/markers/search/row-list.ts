import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import type { SqlFragment } from './search.types.js';

/** Row numbers in order. */
export interface RowList {
  /** The numbers as a JSON list. */
  seqs: string;
  /** The last number, if the list is full, so that more numbers can follow; otherwise null. */
  last: number | null;
}

/** Returns the first numbers of a query that selects `seq` in order. SQLite only. */
export async function listRows(
  manager: EntityManager,
  { sql, parameters }: SqlFragment,
  limit: number,
): Promise<RowList> {
  const [list] = await query<{ seqs: string; last: number | null; count: number }>(
    manager,
    `SELECT json_group_array(seq) AS seqs, max(seq) AS last, count(*) AS count FROM (${sql} LIMIT ${limit}) d`,
    parameters,
  );
  const { seqs, last, count } = list!;
  return { seqs, last: count < limit ? null : last };
}
