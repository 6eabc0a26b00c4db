// Measures reads of one marker, and refreshes, beside searches that read as much as a search can.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/src/app.module.js';
import { AccountsService } from '../dist/src/identity/accounts/accounts.service.js';
import { AppsService } from '../dist/src/identity/apps/apps.service.js';
import { TokenIssuanceService } from '../dist/src/identity/oauth/token-issuance.service.js';
import { AccessTokensService } from '../dist/src/identity/scopes/access-tokens.service.js';
import { MarkersQuery } from '../dist/src/map/markers/markers-query.dto.js';
import { MarkersService } from '../dist/src/map/markers/markers.service.js';
import { startService } from './environment.js';

const SECONDS = Number(process.env.SECONDS ?? 10);
process.env.BASE_URL = 'http://localhost:3000'; // the issuer of the token

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const token = app.get(AccessTokensService).sign('usr_0', 'app_bench', ['markers:read'], 'api');
const scopes = ['markers:read'];
const name = `Bench ${Date.now().toString(36)}`; // the database can have apps of former runs
const { app: client, clientSecret } = await app
  .get(AppsService)
  .register({ name, redirectUris: ['https://bench.example/callback'], scopes });
const username = name.replace(' ', '_').toLowerCase();
const person = { username, email: `${username}@example.org`, name, password: 'correct horse' };
await app.get(AccountsService).create(person);
let { refresh_token: refreshToken } = await app.get(TokenIssuanceService).issueByOperator(client.id, username, scopes);
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

const environment = { ...process.env, RATE_LIMITS: 'off' };
const service = await startService({ environment, folder: process.cwd(), cores: '0' });
const read = async (path) => {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/markers${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
};
const readOne = () => read(`/${markers[Math.floor(Math.random() * markers.length)].id}`);

const refreshOnce = async () => {
  const body = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: client.id,
    client_secret: clientSecret,
  };
  const response = await fetch(`http://127.0.0.1:${service.port}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  ({ refresh_token: refreshToken } = await response.json());
  if (response.status !== 200) throw new Error(`The refresh responded ${response.status}.`);
};

for (const [what, send] of Object.entries({ 'reads of one marker': readOne, refreshes: refreshOnce })) {
  console.log(`\n| ${what} | p50 ms | p95 ms | max ms | searches |\n|---|---|---|---|---|`);
  await measure('alone', send, []);
  for (const query of WORST_CASES)
    await measure(`beside four of \`${query.slice(0, 40)}\``, send, Array(4).fill(query));
  await measure('beside one of each', send, WORST_CASES);
}
await service.end();

async function measure(name, send, queries) {
  const until = performance.now() + SECONDS * 1000;
  let searches = 0;
  const loads = queries.map(async (query) => {
    for (; performance.now() < until; searches++) await read(`?${query}`);
  });
  const times = [];
  while (performance.now() < until) {
    const started = performance.now();
    await send();
    times.push(performance.now() - started);
  }
  await Promise.all(loads);
  times.sort((one, other) => one - other);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  console.log(`| ${name} | ${percentile(0.5)} | ${percentile(0.95)} | ${percentile(1)} | ${searches} |`);
}
