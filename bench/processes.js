import { loadTokenEndpoint, toRefreshTarget } from './http-load.js';
import { createDatabase, startService, startTarget } from './environment.js';
import { verifyChains } from './refresh.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const PROCESS_COUNTS = [1, 2, 4];

/**
 * Measures one, two and four processes on one PostgreSQL. They share all cores with PostgreSQL and
 * the load generator.
 */
export async function benchProcesses({ rounds, seconds, warmUp }) {
  const rates = Object.fromEntries(PROCESS_COUNTS.map((count) => [count, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const count of PROCESS_COUNTS) {
      spinner.text = `Processes on one PostgreSQL, round ${round} of ${rounds}: ${count}`;
      rates[count].push(await measureThroughput(count, { seconds, warmUp }));
    }
  }
  printTable(
    ['refreshes per second, 64 connections', 'median', 'min', 'max'],
    PROCESS_COUNTS.map((count) => [`${count} on PostgreSQL`, ...summarizeRates(rates[count])]),
  );
  const of = (count) => median(rates[count]);
  printTable(
    COMPARISON_HEADER,
    PROCESS_COUNTS.slice(1).map((count) =>
      formatComparison(`${count} processes`, '1 process', of(count) / of(1), '', ''),
    ),
  );
}

async function measureThroughput(count, { seconds, warmUp }) {
  const { environment, folder, drop } = await createDatabase('postgres');
  // issues the first tokens
  const { target, end } = await startTarget('service', { ...environment, CHAINS: '64' });
  await end();
  const processes = [];
  try {
    for (let index = 0; index < count; index++) {
      processes.push(await startService({ environment, folder, cores: '0-1' }));
    }
    const parts = processes.map(({ port }, index) => ({
      ...toRefreshTarget(target),
      url: `http://127.0.0.1:${port}/api/oauth/token`,
      tokens: target.tokens.filter((_, chain) => chain % count === index),
    }));
    const warm = await Promise.all(parts.map((part) => loadTokenEndpoint(part, warmUp)));
    const warmParts = parts.map((part, index) => ({
      ...part,
      tokens: warm[index].chains.map((chain) => chain.at(-1)),
    }));
    const runs = await Promise.all(warmParts.map((part) => loadTokenEndpoint(part, seconds)));
    // The next process verifies the tokens that a process issued.
    for (const [index, run] of runs.entries()) await verifyChains(parts[(index + 1) % count], run.chains);
    return runs.reduce((sum, run) => sum + run.count / run.seconds, 0);
  } finally {
    await Promise.all(processes.map(({ end }) => end()));
    await drop();
  }
}
