import { spawnSync } from 'node:child_process';
import { benchScopeGuard } from './scope-guard.js';
import { benchStartupAndMemory } from './startup-and-memory.js';
import { benchMarkers } from './markers.js';
import { benchProcesses } from './processes.js';
import { benchRefresh } from './refresh.js';
import { spinner } from './report.js';
import { benchStoredTokens } from './stored-tokens.js';
import { benchTiming } from './timing.js';
import { benchWriteAheadLog } from './write-ahead-log.js';

const BENCHMARKS = {
  refresh: benchRefresh,
  stored: benchStoredTokens,
  processes: benchProcesses,
  guard: benchScopeGuard,
  markers: benchMarkers,
  idle: benchStartupAndMemory,
  wal: benchWriteAheadLog,
  timing: benchTiming,
};
const selectedBenchmarks = process.argv.slice(2);
const benchmarkOptions = {
  rounds: Number(process.env.ROUNDS ?? 5),
  seconds: Number(process.env.SECONDS ?? 5),
  warmUp: 2,
  pairs: Number(process.env.PAIRS ?? 20_000),
  signIns: Number(process.env.SIGN_INS ?? 1_000),
};

// The measured process has the first core to itself; the load generator runs on the second.
spawnSync('taskset', ['-cp', '1', String(process.pid)]);

for (const [name, bench] of Object.entries(BENCHMARKS)) {
  if (selectedBenchmarks.length > 0 && !selectedBenchmarks.includes(name)) continue;
  spinner.start(name);
  await bench(benchmarkOptions).finally(() => spinner.stop());
}
