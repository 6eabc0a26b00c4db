import { pressGet } from './load.js';
import { newDatabase, startTarget } from './place.js';
import { compared, COMPARED, median, spinner, spread, table } from './report.js';

const GUARDED = 'ours, a guarded route';
const OPEN = 'ours, the same without the gate';
const JOSE = 'Express and jose';

/** Turns that they take in a round: short ones, so that what else goes on in the machine meets all three alike. */
const TURNS = 10;

/**
 * What the gate costs: one small route with it and without it, and the same on Express with jose. The 64 tokens come again
 * and again, as those of an app at work do: ours remembers them, jose verifies each time.
 */
export async function benchGuard({ rounds, seconds, warmUp }) {
  const rates = { [GUARDED]: [], [OPEN]: [], [JOSE]: [] };
  const { environment, drop } = await newDatabase('sqlite');
  const ours = await startTarget('ours-guarded', environment);
  const theirs = await startTarget('express-jose', environment);
  const { target } = ours;
  const asked = {
    [GUARDED]: { url: target.guarded, tokens: target.tokens },
    [OPEN]: { url: target.open, tokens: target.tokens },
    [JOSE]: theirs.target,
  };
  try {
    for (const what of Object.values(asked)) await pressGet(what, warmUp);
    for (let round = 1; round <= rounds; round++) {
      spinner.text = `Guarded calls, round ${round} of ${rounds}`;
      const turns = Array.from({ length: TURNS }, () => Object.entries(asked)).flat();
      const sums = { [GUARDED]: 0, [OPEN]: 0, [JOSE]: 0 };
      for (const [name, what] of turns) sums[name] += await pressGet(what, seconds / TURNS);
      for (const [name, sum] of Object.entries(sums)) rates[name].push(sum / TURNS);
    }
  } finally {
    await Promise.all([ours.end(), theirs.end()]);
    await drop();
  }
  const of = (name) => median(rates[name]);
  table(
    ['calls a second, 64 connections', 'median', 'min', 'max'],
    Object.entries(rates).map(([name, all]) => [name, ...spread(all)]),
  );
  table(COMPARED, [
    compared(GUARDED, OPEN, of(GUARDED) / of(OPEN), '0.9 ×', ''),
    compared(GUARDED, JOSE, of(GUARDED) / of(JOSE), 'more than 1 ×', ''),
  ]);
}
