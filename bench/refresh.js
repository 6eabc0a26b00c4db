import { postOnce, loadTokenEndpoint, toRefreshTarget } from './http-load.js';
import { createDatabase, startTarget } from './environment.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const TARGETS = [
  ['ours, SQLite FULL', 'service', 'sqlite'],
  ['ours, SQLite NORMAL', 'service', 'sqlite', 'NORMAL'],
  ['ours, PostgreSQL', 'service', 'postgres'],
  ['oidc-provider, SQLite FULL', 'oidc-provider', 'sqlite', 'FULL'],
  ['oidc-provider, SQLite NORMAL', 'oidc-provider', 'sqlite', 'NORMAL'],
  ['oidc-provider, PostgreSQL', 'oidc-provider', 'postgres'],
  ['oauth2-server, SQLite FULL', 'oauth2-server', 'sqlite', 'FULL'],
  ['a Nest route that does no work', 'no-work', 'sqlite'],
].map(([name, file, database, synchronous]) => ({ name, file, database, synchronous }));

/** The lines of the table: ours, against what, and what was asked and hoped for. */
const COMPARISONS = [
  ['ours, SQLite FULL', 'oidc-provider, SQLite FULL', 5, 10],
  ['ours, SQLite NORMAL', 'oidc-provider, SQLite NORMAL', 2.5, 5],
  ['ours, PostgreSQL', 'oidc-provider, PostgreSQL', 3, 6],
  ['ours, SQLite FULL', 'oauth2-server, SQLite FULL', 4, 8],
  ['ours, SQLite FULL', 'a Nest route that does no work', 0.75, 1.4],
  ['ours, SQLite FULL', 'ours, SQLite NORMAL', 0.9, 0.95],
];

/** The refresh grant of ours and of its peers, in turns. */
export async function benchRefresh({ rounds, seconds, warmUp }) {
  const measured = new Map(TARGETS.map(({ name }) => [name, { 64: [], 16: [] }]));
  for (let round = 1; round <= rounds; round++) {
    for (const target of TARGETS) {
      for (const connections of [64, 16]) {
        spinner.text = `Refreshing, round ${round} of ${rounds}: ${target.name}, ${connections} connections`;
        measured.get(target.name)[connections].push(await measureTarget(target, connections, { seconds, warmUp }));
      }
    }
  }
  printResults(measured);
}

async function measureTarget({ file, database, synchronous }, connections, times) {
  const { environment, drop } = await createDatabase(database);
  const more = { CHAINS: String(connections), ...(synchronous && { SYNCHRONOUS: synchronous }) };
  const { target, end } = await startTarget(file, { ...environment, ...more });
  try {
    return await measureRefresh(toRefreshTarget(target), times);
  } finally {
    await end();
    await drop();
  }
}

/** Refreshes a second, and milliseconds that 99 in a hundred stay below, once each token was seen to be good once. */
export async function measureRefresh(target, { seconds, warmUp }) {
  const warm = await loadTokenEndpoint(target, warmUp);
  const run = await loadTokenEndpoint({ ...target, tokens: warm.chains.map((chain) => chain.at(-1)) }, seconds);
  if (!target.isEmpty) await verifyChains(target, run.chains);
  run.latencies.sort((one, other) => one - other);
  return { rate: run.count / run.seconds, p99: run.latencies[Math.floor(0.99 * run.latencies.length)] };
}

/** Each token was good once: no token of a chain is there twice, its last one is good, and those before are spent. */
export async function verifyChains(target, chains) {
  const all = chains.flat();
  if (new Set(all).size !== all.length) throw new Error('A token was given out twice.');
  for (const chain of chains) {
    const last = await postOnce(target, target.bodyOf(chain.at(-1)));
    if (last.status !== 200) throw new Error(`The last token of a chain is not good: ${last.body}`);
    for (const spent of [chain.at(-1), chain[Math.floor(chain.length / 2)], chain[0]]) {
      const { status, body } = await postOnce(target, target.bodyOf(spent));
      if (status !== 400) throw new Error(`A spent token was answered ${status}: ${body}`);
    }
  }
}

function printResults(measured) {
  const rates = (name) => measured.get(name)[64].map(({ rate }) => rate);
  const p99 = (name) => median(measured.get(name)[16].map((one) => one.p99));
  printTable(
    ['refreshes a second, 64 connections', 'median', 'min', 'max', 'p99 ms at 16 connections'],
    [...measured.keys()].map((name) => [name, ...summarizeRates(rates(name)), p99(name).toFixed(1)]),
  );
  const [ours, theirs] = [COMPARISONS[0][0], COMPARISONS[0][1]];
  printTable(COMPARISON_HEADER, [
    ...COMPARISONS.map(([one, other, asked, hoped]) =>
      formatComparison(one, other, median(rates(one)) / median(rates(other)), `${asked} ×`, `${hoped} ×`),
    ),
    formatComparison(`p99 of ${ours}`, `of ${theirs}`, p99(ours) / p99(theirs), 'at most 0.5 ×', 'at most 0.25 ×'),
  ]);
}
