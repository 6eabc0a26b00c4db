import { DataSource } from 'typeorm';
import { createOrmConfig } from '../dist/ormconfig.js';
import { toRefreshTarget } from './http-load.js';
import { createDatabase, startTarget } from './environment.js';
import { measureRefresh } from './refresh.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const SMALL_ROW_COUNT = 10_000;
const LARGE_ROW_COUNT = 5_000_000;

/** Formats a count as `5 million`. */
const COUNT_FORMAT = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long' });

/** Length of a chain, which determines the number of authorizations. */
const TOKENS_PER_AUTHORIZATION = 50;

/** SQL for rows of used tokens and their authorizations. */
const FILL_SQL = {
  sqlite: {
    series: (rows) =>
      `(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${rows}) SELECT n FROM counted)`,
    digest: 'randomblob(32)',
    id: `printf('aut_%026d', n)`,
    chainOf: `printf('aut_%026d', 1 + n / ${TOKENS_PER_AUTHORIZATION})`,
  },
  postgres: {
    series: (rows) => `(SELECT n FROM generate_series(1, ${rows}) AS n)`,
    digest: `decode(md5(random()::text) || md5(random()::text), 'hex')`,
    id: `'aut_' || lpad(n::text, 26, '0')`,
    chainOf: `'aut_' || lpad((1 + n / ${TOKENS_PER_AUTHORIZATION})::text, 26, '0')`,
  },
};

/** Compares the refresh rate with five million stored tokens to that with ten thousand. */
export async function benchStoredTokens(times) {
  for (const [kind, name] of [
    ['sqlite', 'SQLite FULL'],
    ['postgres', 'PostgreSQL'],
  ]) {
    const rates = await measureFilled(kind, times);
    printTable(
      [`refreshes per second, ${name}, 64 connections`, 'median', 'min', 'max'],
      [SMALL_ROW_COUNT, LARGE_ROW_COUNT].map((rows) => [
        `${COUNT_FORMAT.format(rows)} tokens stored`,
        ...summarizeRates(rates[rows]),
      ]),
    );
    printTable(COMPARISON_HEADER, [
      formatComparison(
        `${name}, ${COUNT_FORMAT.format(LARGE_ROW_COUNT)}`,
        COUNT_FORMAT.format(SMALL_ROW_COUNT),
        median(rates[LARGE_ROW_COUNT]) / median(rates[SMALL_ROW_COUNT]),
        '0.9 ×',
        '0.95 ×',
      ),
    ]);
  }
}

async function measureFilled(kind, { rounds, seconds, warmUp }) {
  const databases = {};
  const rates = { [SMALL_ROW_COUNT]: [], [LARGE_ROW_COUNT]: [] };
  try {
    for (const rows of [SMALL_ROW_COUNT, LARGE_ROW_COUNT]) {
      spinner.text = `Storing ${COUNT_FORMAT.format(rows)} tokens on ${kind}`;
      databases[rows] = await createFilledDatabase(kind, rows);
    }
    for (let round = 1; round <= rounds; round++) {
      for (const rows of [SMALL_ROW_COUNT, LARGE_ROW_COUNT]) {
        spinner.text = `Refreshing beside ${COUNT_FORMAT.format(rows)} tokens on ${kind}, round ${round} of ${rounds}`;
        const more = { CHAINS: '64', NAME: `bench${round}` };
        const { target, end } = await startTarget('service', { ...databases[rows].environment, ...more });
        rates[rows].push((await measureRefresh(toRefreshTarget(target), { seconds, warmUp })).rate);
        await end();
      }
    }
  } finally {
    await Promise.all(Object.values(databases).map(({ drop }) => drop()));
  }
  return rates;
}

async function createFilledDatabase(kind, rows) {
  const database = await createDatabase(kind);
  // creates the tables
  const first = await startTarget('service', { ...database.environment, CHAINS: '1' });
  await first.end();
  await insertStoredTokens(database.environment.DATABASE_URL, FILL_SQL[kind], rows);
  return database;
}

async function insertStoredTokens(url, { series, digest, id, chainOf }, rows) {
  const source = await new DataSource({ ...createOrmConfig(url, 'write'), ...NO_STATEMENT_TIMEOUT }).initialize();
  const now = Date.now();
  await source.query(
    `INSERT INTO authorizations (id, account_id, app_id, scopes, auth_time, created_at)
     SELECT ${id}, (SELECT min(id) FROM accounts), (SELECT min(id) FROM apps), '["markers:read"]', ${now}, ${now}
     FROM ${series(1 + rows / TOKENS_PER_AUTHORIZATION)} AS numbers`,
  );
  await source.query(
    `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at, used_at, successor_digest)
     SELECT ${digest} AS digest, ${chainOf}, ${now}, ${now} + 2592000000, ${now}, ${digest}
     FROM ${series(rows)} AS numbers ORDER BY 1`,
  );
  await source.query(source.options.type === 'postgres' ? 'VACUUM ANALYZE' : 'PRAGMA wal_checkpoint(TRUNCATE)');
  await source.destroy();
}

/** Inserting the rows takes minutes. */
const NO_STATEMENT_TIMEOUT = { extra: { statement_timeout: 0, query_timeout: 0 } };
