import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startService } from './environment.js';
import { median, spinner, printTable } from './report.js';

/** Measures the time until the built service responds, and its memory without load. */
export async function benchStartupAndMemory({ rounds }) {
  const { environment, folder, drop } = await createDatabase('sqlite');
  const [starts, memories] = [[], []];
  try {
    await measureStartup(environment, folder); // creates the database and its keys
    for (let round = 1; round <= rounds; round++) {
      spinner.text = `Start and memory, round ${round} of ${rounds}`;
      const { milliseconds, mebibytes } = await measureStartup(environment, folder);
      starts.push(milliseconds);
      memories.push(mebibytes);
    }
  } finally {
    await drop();
  }
  const row = (name, values, required) => [
    name,
    median(values).toFixed(0),
    Math.min(...values),
    Math.max(...values),
    required,
  ];
  printTable(
    ['', 'median', 'min', 'max', 'required'],
    [
      row('start to first response, ms', starts.map(Math.round), 'at most 1500'),
      row('resident memory without load, MiB', memories.map(Math.round), 'at most 150'),
    ],
  );
}

async function measureStartup(environment, folder) {
  const started = performance.now();
  const { pid, end } = await startService({ environment, folder, cores: '0-1' });
  const milliseconds = performance.now() - started;
  await sleep(5_000);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  await end();
  return { milliseconds, mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024 };
}
