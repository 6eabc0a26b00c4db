import { loadProtectedResource } from './http-load.js';
import { createDatabase, startTarget } from './environment.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const GUARDED = 'guarded route';
const UNGUARDED = 'same route without the scope guard';
const DPOP = 'guarded route with DPoP proofs';
const EXPRESS_JOSE = 'Express and jose';

/**
 * Turns per target in a round. They are short, so that other load on the machine affects all
 * targets equally.
 */
const SLICES_PER_ROUND = 10;

/**
 * Measures the cost of the scope guard: one small route with and without it, and the same route on
 * Express with jose. The requests repeat 64 tokens, like those of a real app. The service caches
 * verified tokens; jose verifies each one. With DPoP, the service verifies a proof for each request
 * and stores its id in the database.
 */
export async function benchScopeGuard({ rounds, seconds, warmUp }) {
  const rates = { [GUARDED]: [], [UNGUARDED]: [], [DPOP]: [], [EXPRESS_JOSE]: [] };
  const { environment, drop } = await createDatabase('sqlite');
  const service = await startTarget('service-guarded', environment);
  const peer = await startTarget('express-jose', environment);
  const { target } = service;
  const targets = {
    [GUARDED]: { url: target.guarded, tokens: target.tokens },
    [UNGUARDED]: { url: target.open, tokens: target.tokens },
    [DPOP]: { url: target.guarded, ...target.bound },
    [EXPRESS_JOSE]: peer.target,
  };
  try {
    for (const guardedTarget of Object.values(targets)) await loadProtectedResource(guardedTarget, warmUp);
    for (let round = 1; round <= rounds; round++) {
      spinner.text = `Guarded calls, round ${round} of ${rounds}`;
      const turns = Array.from({ length: SLICES_PER_ROUND }, () => Object.entries(targets)).flat();
      const sums = { [GUARDED]: 0, [UNGUARDED]: 0, [DPOP]: 0, [EXPRESS_JOSE]: 0 };
      for (const [name, turnTarget] of turns)
        sums[name] += await loadProtectedResource(turnTarget, seconds / SLICES_PER_ROUND);
      for (const [name, sum] of Object.entries(sums)) rates[name].push(sum / SLICES_PER_ROUND);
    }
  } finally {
    await Promise.all([service.end(), peer.end()]);
    await drop();
  }
  const of = (name) => median(rates[name]);
  printTable(
    ['calls per second, 64 connections', 'median', 'min', 'max'],
    Object.entries(rates).map(([name, rounds]) => [name, ...summarizeRates(rounds)]),
  );
  printTable(COMPARISON_HEADER, [
    formatComparison(GUARDED, UNGUARDED, of(GUARDED) / of(UNGUARDED), '0.9 ×', ''),
    formatComparison(DPOP, GUARDED, of(DPOP) / of(GUARDED), '', ''),
    formatComparison(GUARDED, EXPRESS_JOSE, of(GUARDED) / of(EXPRESS_JOSE), 'more than 1 ×', ''),
  ]);
}
