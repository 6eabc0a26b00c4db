import { spawnSync } from 'node:child_process';
import { benchGuard } from './guard.js';
import { benchIdle } from './idle.js';
import { benchProcesses } from './processes.js';
import { benchRefresh } from './refresh.js';
import { spinner } from './report.js';
import { benchStored } from './stored.js';
import { benchTiming } from './timing.js';

const BENCHES = {
  refresh: benchRefresh,
  stored: benchStored,
  processes: benchProcesses,
  guard: benchGuard,
  idle: benchIdle,
  timing: benchTiming,
};
const wanted = process.argv.slice(2);
const times = {
  rounds: Number(process.env.ROUNDS ?? 5),
  seconds: Number(process.env.SECONDS ?? 5),
  warmUp: 2,
  pairs: Number(process.env.PAIRS ?? 20_000),
  signIns: Number(process.env.SIGN_INS ?? 1_000),
};

// What is measured has the first core to itself; who presses takes the second.
spawnSync('taskset', ['-cp', '1', String(process.pid)]);

for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  spinner.start(name);
  await bench(times).finally(() => spinner.stop());
}
