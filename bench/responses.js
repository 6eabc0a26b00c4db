// Measures the time that large responses take on the main thread, with the data in `DATABASE_URL`.
import { readFile } from 'node:fs/promises';
import { startTarget } from './environment.js';
import { median, printTable, spinner } from './report.js';

const RESPONSES = [
  ['documentation, `/docs`', '/docs', 1],
  ['clusters of the world, zoom 10', '/api/markers/clusters?bbox=-180,-85,180,85&zoom=10', 3],
  ['clusters of the world, zoom 14', '/api/markers/clusters?bbox=-180,-85,180,85&zoom=14', 3],
  ['page of 500 changes', '/api/markers/changes?limit=500', 3],
];
const WARM_UP_COUNT = 50;
const TURNS = 12;
const COUNT = 25;

if (!process.env.DATABASE_URL) throw new Error('Set DATABASE_URL to a database with markers.');
const { target, pid, end } = await startTarget('service-guarded', { ...process.env, RATE_LIMITS: 'off' });
const headers = { Authorization: `Bearer ${target.tokens[0]}`, 'Accept-Encoding': 'identity' };
try {
  const rows = [];
  for (const response of RESPONSES) rows.push(await measure(response));
  printTable(['response', 'bytes', 'ms of the main thread', 'goal'], rows);
} finally {
  spinner.stop();
  await end();
}

async function measure([name, path, goal]) {
  spinner.start(name);
  const byteLength = await request(path, WARM_UP_COUNT);
  const times = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const before = await readMainThreadTime();
    await request(path, COUNT);
    times.push(((await readMainThreadTime()) - before) / COUNT);
  }
  return [name, byteLength, median(times).toFixed(2), `at most ${goal}`];
}

/** Sends requests, one after the other. @returns the number of bytes of a response */
async function request(path, count) {
  let byteLength;
  for (let index = 0; index < count; index++) {
    const response = await fetch(new URL(path, target.guarded), { headers });
    if (!response.ok) throw new Error(`${path} responded ${response.status}.`);
    ({ byteLength } = await response.arrayBuffer());
  }
  return byteLength;
}

/** Returns the CPU time of the main thread of the service, in milliseconds. */
async function readMainThreadTime() {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}
