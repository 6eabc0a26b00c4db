// Measures reads of single markers beside four parallel searches that read as much as a search can.
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/src/app.module.js';
import { AccessTokensService } from '../dist/src/identity/scopes/access-tokens.service.js';
import { MarkersQuery } from '../dist/src/map/markers/markers-query.dto.js';
import { MarkersService } from '../dist/src/map/markers/markers.service.js';
import { startService } from './environment.js';

const SECONDS = Number(process.env.SECONDS ?? 10);
process.env.BASE_URL = 'http://localhost:3000'; // the issuer of the token

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const token = app.get(AccessTokensService).sign('usr_0', 'app_bench', ['markers:read'], 'api');
const { data } = await app.get(MarkersService).list(Object.assign(new MarkersQuery(), { limit: 500 }));
await app.close();
const markers = data.map((marker) => JSON.parse(JSON.stringify(marker)));
const { lat, lon } = markers[0].location;

const WORST_CASES = [
  'kind=place&yearFrom=1990&count=true&limit=1',
  'q=heron&kind=place&count=true&limit=1',
  `lat=${lat}&lon=${lon}&radius=50000&kind=place`,
  'tag=fox,heron,amber&kind=place',
];

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await startService({ environment: { ...process.env, RATE_LIMITS: 'off' }, folder, cores: '0' });
const read = async (path) => {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/markers${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
};
const readOne = () => read(`/${markers[Math.floor(Math.random() * markers.length)].id}`);

console.log('| reads of one marker | p50 ms | p95 ms | max ms | searches |\n|---|---|---|---|---|');
await measure('alone', []);
for (const query of WORST_CASES) await measure(`beside four of \`${query.slice(0, 40)}\``, Array(4).fill(query));
await measure('beside one of each', WORST_CASES);
await service.end();
await rm(folder, { recursive: true });

async function measure(name, queries) {
  const until = performance.now() + SECONDS * 1000;
  let searches = 0;
  const loads = queries.map(async (query) => {
    for (; performance.now() < until; searches++) await read(`?${query}`);
  });
  const times = [];
  while (performance.now() < until) {
    const started = performance.now();
    await readOne();
    times.push(performance.now() - started);
  }
  await Promise.all(loads);
  times.sort((one, other) => one - other);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  console.log(`| ${name} | ${percentile(0.5)} | ${percentile(0.95)} | ${percentile(1)} | ${searches} |`);
}
