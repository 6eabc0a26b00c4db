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

const { target, pid, end } = await startTarget('service-guarded', { ...process.env, RATE_LIMITS: 'off' });
const headers = { Authorization: `Bearer ${target.tokens[0]}`, 'Accept-Encoding': 'identity' };
const rows = [];
for (const [name, path, goal] of RESPONSES) {
  spinner.start(name);
  await request(path, WARM_UP_COUNT);
  const times = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const before = await readMainThreadTime();
    await request(path, COUNT);
    times.push(((await readMainThreadTime()) - before) / COUNT);
  }
  rows.push([name, await request(path, 1), median(times).toFixed(2), `at most ${goal}`]);
}
spinner.stop();
printTable(['response', 'bytes', 'ms of the main thread', 'goal'], rows);
await end();

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
