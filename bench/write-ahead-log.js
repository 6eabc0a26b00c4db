import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startTarget } from './environment.js';
import { loadTokenEndpoint, toRefreshTarget } from './http-load.js';
import { printTable, spinner } from './report.js';

const CONNECTIONS = '16';

/** Measures the write-ahead log of a refresh on PostgreSQL, and the part of HOT updates. */
export async function benchWriteAheadLog({ seconds, warmUp }) {
  spinner.text = 'Write-ahead log of refreshes';
  const { environment, drop } = await createDatabase('postgres');
  const { target, end } = await startTarget('service', { ...environment, CHAINS: CONNECTIONS });
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  try {
    const service = toRefreshTarget(target);
    const { chains } = await loadTokenEndpoint(service, warmUp);
    await client.query('CHECKPOINT'); // a page is in the log as a whole once after each checkpoint
    const before = await readCounters(client);
    const { count } = await loadTokenEndpoint({ ...service, tokens: chains.map((chain) => chain.at(-1)) }, seconds);
    const after = await readCounters(client);
    const change = (name) => after[name] - before[name];
    printTable(
      ['', 'refreshes', 'value', 'goal'],
      [
        ['bytes of the write-ahead log of a refresh', count, (change('bytes') / count).toFixed(0), '600'],
        ['HOT updates', count, `${((100 * change('hot')) / change('updates')).toFixed(1)} %`, '90 %'],
      ],
    );
  } finally {
    await client.end();
    await end();
    await drop();
  }
}

async function readCounters(client) {
  // A backend reports its counters after a pause of one second.
  await sleep(1500);
  const { rows } = await client.query(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes,
        sum(n_tup_upd)::float8 AS updates, sum(n_tup_hot_upd)::float8 AS hot
      FROM pg_stat_user_tables WHERE relname LIKE 'refresh_tokens%'`,
  );
  return rows[0];
}
