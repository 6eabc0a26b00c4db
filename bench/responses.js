// Measures the time of large responses, one after the other, with the data in `DATABASE_URL`.
import { startTarget } from './environment.js';
import { median, printTable, spinner } from './report.js';

const RESPONSES = [
  ['documentation, `/docs`', '/docs', 1],
  ['clusters of the world, zoom 10', '/api/markers/clusters?bbox=-180,-85,180,85&zoom=10', 3],
  ['clusters of the world, zoom 14', '/api/markers/clusters?bbox=-180,-85,180,85&zoom=14', 3],
  ['feed of changes, page of 500', '/api/markers/changes?limit=500', 3],
];
const WARM_UP_COUNT = 50;
const COUNT = 300;

const { target, end } = await startTarget('service-guarded', { ...process.env, RATE_LIMITS: 'off' });
const headers = { Authorization: `Bearer ${target.tokens[0]}`, 'Accept-Encoding': 'identity' };
const rows = [];
for (const [name, path, goal] of RESPONSES) {
  spinner.start(name);
  for (let index = 0; index < WARM_UP_COUNT; index++) await measureResponse(path);
  const responses = [];
  for (let index = 0; index < COUNT; index++) responses.push(await measureResponse(path));
  const time = median(responses.map(({ milliseconds }) => milliseconds));
  rows.push([name, responses[0].byteLength, time.toFixed(2), `at most ${goal}`]);
}
spinner.stop();
printTable(['response', 'bytes', 'median ms', 'goal'], rows);
await end();

async function measureResponse(path) {
  const started = performance.now();
  const response = await fetch(new URL(path, target.guarded), { headers });
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} responded ${response.status}.`);
  return { milliseconds: performance.now() - started, byteLength };
}
