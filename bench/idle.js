import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDatabase } from './place.js';
import { median, spinner, table } from './report.js';

const PORT = 38_090;
const MAIN = new URL('../dist/src/main.js', import.meta.url).pathname;

/** How soon the built service answers, and what memory it holds when nobody asks anything. */
export async function benchIdle({ rounds }) {
  const { environment, folder, drop } = await newDatabase('sqlite');
  const [starts, memories] = [[], []];
  try {
    await start(environment, folder); // the first one makes the database and its keys
    for (let round = 1; round <= rounds; round++) {
      spinner.text = `Start and memory, round ${round} of ${rounds}`;
      const { milliseconds, mebibytes } = await start(environment, folder);
      starts.push(milliseconds);
      memories.push(mebibytes);
    }
  } finally {
    await drop();
  }
  const row = (what, values, asked) => [
    what,
    median(values).toFixed(0),
    Math.min(...values),
    Math.max(...values),
    asked,
  ];
  table(
    ['', 'median', 'min', 'max', 'asked'],
    [
      row('start to first answer, ms', starts.map(Math.round), 'at most 1500'),
      row('resident memory when idle, MiB', memories.map(Math.round), 'at most 150'),
    ],
  );
}

async function start(environment, cwd) {
  const started = performance.now();
  const env = { ...environment, HOST: '127.0.0.1', PORT: String(PORT) };
  const child = spawn('taskset', ['-c', '0', process.execPath, MAIN], { env, cwd, stdio: 'ignore' });
  while (!(await answers())) await sleep(5);
  const milliseconds = performance.now() - started;
  await sleep(5_000);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const ended = once(child, 'exit');
  child.kill();
  await ended;
  return { milliseconds, mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024 };
}

async function answers() {
  const response = await fetch(`http://127.0.0.1:${PORT}/api/edits/mine`).catch(() => undefined);
  return response?.status === 401;
}
