import { postOnce, loadTokenEndpoint, toRefreshTarget } from './http-load.js';
import { createDatabase, startTarget } from './environment.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const TARGETS = [
  ['this service, SQLite', 'service', 'sqlite'],
  ['this service, PostgreSQL', 'service', 'postgres'],
  ['hand-written server, SQLite', 'handwritten-refresh', 'sqlite'],
  ['oidc-provider, SQLite', 'oidc-provider', 'sqlite'],
  ['oidc-provider, PostgreSQL', 'oidc-provider', 'postgres'],
  ['oauth2-server, SQLite', 'oauth2-server', 'sqlite'],
].map(([name, file, database]) => ({ name, file, database }));

/** The rows of the comparison: target, baseline, required ratio, goal. */
const COMPARISONS = [
  ['this service, SQLite', 'hand-written server, SQLite', 0.8, 0.9],
  ['this service, SQLite', 'oidc-provider, SQLite', 6, 7],
  ['this service, PostgreSQL', 'oidc-provider, PostgreSQL', 3.5, 5],
  ['this service, SQLite', 'oauth2-server, SQLite', 4, 8],
];

/** Measures the refresh grant of the service and of other servers, in turns. */
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

async function measureTarget({ file, database }, connections, times) {
  const { environment, drop } = await createDatabase(database);
  const { target, end } = await startTarget(file, { ...environment, CHAINS: String(connections) });
  try {
    return await measureRefresh(toRefreshTarget(target), times);
  } finally {
    await end();
    await drop();
  }
}

/**
 * Returns the refreshes per second and the 99th percentile in milliseconds. Verifies the chains
 * afterwards.
 */
export async function measureRefresh(target, { seconds, warmUp }) {
  const warm = await loadTokenEndpoint(target, warmUp);
  const run = await loadTokenEndpoint({ ...target, tokens: warm.chains.map((chain) => chain.at(-1)) }, seconds);
  await verifyChains(target, run.chains);
  run.latencies.sort((one, other) => one - other);
  return { rate: run.count / run.seconds, p99: run.latencies[Math.floor(0.99 * run.latencies.length)] };
}

/**
 * Verifies that all tokens of a chain are unique, that the last one is valid, and that the others
 * are used.
 */
export async function verifyChains(target, chains) {
  const tokens = chains.flat();
  if (new Set(tokens).size !== tokens.length) throw new Error('A token was issued twice.');
  for (const chain of chains) {
    const last = await postOnce(target, target.bodyOf(chain.at(-1)));
    if (last.status !== 200) throw new Error(`The last token of a chain is invalid: ${last.body}`);
    for (const used of [chain.at(-1), chain[Math.floor(chain.length / 2)], chain[0]]) {
      const { status, body } = await postOnce(target, target.bodyOf(used));
      if (status !== 400) throw new Error(`A used token got the status ${status}: ${body}`);
    }
  }
}

function printResults(measured) {
  const rates = (name) => measured.get(name)[64].map(({ rate }) => rate);
  const p99 = (name) => median(measured.get(name)[16].map((run) => run.p99));
  printTable(
    ['refreshes per second, 64 connections', 'median', 'min', 'max', 'p99 ms at 16 connections'],
    [...measured.keys()].map((name) => [name, ...summarizeRates(rates(name)), p99(name).toFixed(1)]),
  );
  printTable(
    COMPARISON_HEADER,
    COMPARISONS.map(([name, baseline, required, goal]) =>
      formatComparison(name, baseline, median(rates(name)) / median(rates(baseline)), `${required} ×`, `${goal} ×`),
    ),
  );
}
