import { loadTokenEndpoint, toRefreshTarget } from './http-load.js';
import { createDatabase, readCpuTime, startService, startTarget } from './environment.js';
import { verifyChains } from './refresh.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const PROCESS_COUNTS = [1, 2, 4];

/** The loads: the same for all processes together, and the same for each process. */
const LOADS = [
  { name: '64 connections', countConnections: () => 64 },
  { name: '32 connections to each process', countConnections: (processCount) => 32 * processCount },
];

/**
 * Measures one, two and four processes on one PostgreSQL. They share all cores with PostgreSQL and
 * the load generator.
 */
export async function benchProcesses(options) {
  const measured = LOADS.map((load) => ({
    ...load,
    runs: Object.fromEntries(PROCESS_COUNTS.map((count) => [count, []])),
  }));
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, countConnections, runs } of measured) {
      for (const count of PROCESS_COUNTS) {
        spinner.text = `Processes on one PostgreSQL, round ${round} of ${options.rounds}: ${count}, ${name}`;
        runs[count].push(await measureRefreshes(count, countConnections(count), options));
      }
    }
  }
  for (const { name, runs } of measured) printRuns(name, runs);
}

function printRuns(load, runs) {
  const rates = (count) => runs[count].map(({ rate }) => rate);
  const cpuTime = (count) => median(runs[count].map((run) => run.cpuTime));
  printTable(
    [`refreshes per second, ${load}`, 'median', 'min', 'max', 'CPU ms of a refresh'],
    PROCESS_COUNTS.map((count) => [
      `${count} on PostgreSQL`,
      ...summarizeRates(rates(count)),
      cpuTime(count).toFixed(3),
    ]),
  );
  printTable(
    COMPARISON_HEADER,
    PROCESS_COUNTS.slice(1).flatMap((count) => [
      formatComparison(`${count} processes`, '1 process', median(rates(count)) / median(rates(1)), '', ''),
      formatComparison(`CPU time of ${count} processes`, '1 process', cpuTime(count) / cpuTime(1), 'at most 1.1', ''),
    ]),
  );
}

/** Returns the refreshes per second, and the CPU milliseconds of the processes for each of them. */
async function measureRefreshes(processCount, connectionCount, { seconds, warmUp }) {
  const { environment, folder, drop } = await createDatabase('postgres');
  // issues the first tokens
  const { target, end } = await startTarget('service', { ...environment, CHAINS: String(connectionCount) });
  await end();
  const processes = [];
  try {
    for (let index = 0; index < processCount; index++) {
      processes.push(await startService({ environment, folder, cores: '0-1' }));
    }
    const parts = processes.map(({ port }, index) => ({
      ...toRefreshTarget(target),
      url: `http://127.0.0.1:${port}/api/oauth/token`,
      tokens: target.tokens.filter((_, chain) => chain % processCount === index),
    }));
    const warm = await Promise.all(parts.map((part) => loadTokenEndpoint(part, warmUp)));
    const warmParts = parts.map((part, index) => ({
      ...part,
      tokens: warm[index].chains.map((chain) => chain.at(-1)),
    }));
    const cpuBefore = await readCpuTimes(processes);
    const runs = await Promise.all(warmParts.map((part) => loadTokenEndpoint(part, seconds)));
    const cpuUsed = (await readCpuTimes(processes)) - cpuBefore;
    // The next process verifies the tokens that a process issued.
    for (const [index, run] of runs.entries()) await verifyChains(parts[(index + 1) % processCount], run.chains);
    const count = runs.reduce((sum, run) => sum + run.count, 0);
    const rate = runs.reduce((sum, run) => sum + run.count / run.seconds, 0);
    return { rate, cpuTime: cpuUsed / count };
  } finally {
    await Promise.all(processes.map(({ end }) => end()));
    await drop();
  }
}

async function readCpuTimes(processes) {
  const times = await Promise.all(processes.map(({ pid }) => readCpuTime(pid)));
  return times.reduce((sum, time) => sum + time, 0);
}
