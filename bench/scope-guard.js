import { loadProtectedResource } from './http-load.js';
import { createDatabase, startTarget } from './environment.js';
import { formatComparison, COMPARISON_HEADER, median, spinner, summarizeRates, printTable } from './report.js';

const GUARDED = 'ours, a guarded route';
const UNGUARDED = 'ours, the same without the gate';
const EXPRESS_JOSE = 'Express and jose';

/** Turns that they take in a round: short ones, so that what else goes on in the machine meets all three alike. */
const SLICES_PER_ROUND = 10;

/**
 * What the gate costs: one small route with it and without it, and the same on Express with jose. The 64 tokens come again
 * and again, as those of an app at work do: ours remembers them, jose verifies each time.
 */
export async function benchScopeGuard({ rounds, seconds, warmUp }) {
  const rates = { [GUARDED]: [], [UNGUARDED]: [], [EXPRESS_JOSE]: [] };
  const { environment, drop } = await createDatabase('sqlite');
  const ours = await startTarget('service-guarded', environment);
  const theirs = await startTarget('express-jose', environment);
  const { target } = ours;
  const asked = {
    [GUARDED]: { url: target.guarded, tokens: target.tokens },
    [UNGUARDED]: { url: target.open, tokens: target.tokens },
    [EXPRESS_JOSE]: theirs.target,
  };
  try {
    for (const what of Object.values(asked)) await loadProtectedResource(what, warmUp);
    for (let round = 1; round <= rounds; round++) {
      spinner.text = `Guarded calls, round ${round} of ${rounds}`;
      const turns = Array.from({ length: SLICES_PER_ROUND }, () => Object.entries(asked)).flat();
      const sums = { [GUARDED]: 0, [UNGUARDED]: 0, [EXPRESS_JOSE]: 0 };
      for (const [name, what] of turns) sums[name] += await loadProtectedResource(what, seconds / SLICES_PER_ROUND);
      for (const [name, sum] of Object.entries(sums)) rates[name].push(sum / SLICES_PER_ROUND);
    }
  } finally {
    await Promise.all([ours.end(), theirs.end()]);
    await drop();
  }
  const of = (name) => median(rates[name]);
  printTable(
    ['calls a second, 64 connections', 'median', 'min', 'max'],
    Object.entries(rates).map(([name, all]) => [name, ...summarizeRates(all)]),
  );
  printTable(COMPARISON_HEADER, [
    formatComparison(GUARDED, UNGUARDED, of(GUARDED) / of(UNGUARDED), '0.9 ×', ''),
    formatComparison(GUARDED, EXPRESS_JOSE, of(GUARDED) / of(EXPRESS_JOSE), 'more than 1 ×', ''),
  ]);
}
