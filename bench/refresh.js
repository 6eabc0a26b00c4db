import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import ora from 'ora';
import pg from 'pg';
import { ask, press } from './load.js';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 5);
const WARM_UP = 2;
const POSTGRES = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const TARGETS = [
  ['ours, SQLite FULL', 'ours', 'sqlite'],
  ['ours, SQLite NORMAL', 'ours', 'sqlite', 'NORMAL'],
  ['ours, PostgreSQL', 'ours', 'postgres'],
  ['oidc-provider, SQLite FULL', 'oidc-provider', 'sqlite', 'FULL'],
  ['oidc-provider, SQLite NORMAL', 'oidc-provider', 'sqlite', 'NORMAL'],
  ['oidc-provider, PostgreSQL', 'oidc-provider', 'postgres'],
  ['oauth2-server, SQLite FULL', 'oauth2-server', 'sqlite', 'FULL'],
  ['a Nest route that does no work', 'no-work', 'sqlite'],
].map(([name, file, database, synchronous]) => ({ name, file, database, synchronous }));

/** The lines of the table: ours, against what, by which measure, and what was asked for. */
const COMPARED = [
  ['ours, SQLite FULL', 'oidc-provider, SQLite FULL', 5, 10],
  ['ours, SQLite NORMAL', 'oidc-provider, SQLite NORMAL', 2.5, 5],
  ['ours, PostgreSQL', 'oidc-provider, PostgreSQL', 3, 6],
  ['ours, SQLite FULL', 'oauth2-server, SQLite FULL', 4, 8],
  ['ours, SQLite FULL', 'a Nest route that does no work', 0.75, 1.4],
  ['ours, SQLite FULL', 'ours, SQLite NORMAL', 0.9, 0.95],
];

// What is measured has the first core to itself; who presses takes the second.
spawnSync('taskset', ['-cp', '1', String(process.pid)]);

const measured = new Map(TARGETS.map(({ name }) => [name, { 64: [], 16: [] }]));
const spinner = ora({ stream: process.stderr }).start();
for (let round = 1; round <= ROUNDS; round++) {
  for (const target of TARGETS) {
    for (const connections of [64, 16]) {
      spinner.text = `Round ${round} of ${ROUNDS}: ${target.name}, ${connections} connections`;
      measured.get(target.name)[connections].push(await measure(target, connections));
    }
  }
}
spinner.stop();
print();

/** Refreshes a second, and milliseconds that 99 in a hundred stay below, of one target in a process and database of its own. */
async function measure({ file, database, synchronous }, connections) {
  const home = await newDatabase(database);
  const environment = { ...process.env, ...home.environment, NODE_ENV: 'production', CHAINS: String(connections) };
  if (synchronous) environment.SYNCHRONOUS = synchronous;
  const script = new URL(`targets/${file}.js`, import.meta.url).pathname;
  const child = spawn('taskset', ['-c', '0', process.execPath, script], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const target = await told(child);
    const warm = await press(target, WARM_UP);
    const run = await press({ ...target, tokens: warm.chains.map((chain) => chain.at(-1)) }, SECONDS);
    if (!target.isEmpty) await check(target, run.chains);
    run.latencies.sort((one, other) => one - other);
    return { rate: run.count / run.seconds, p99: run.latencies[Math.floor(0.99 * run.latencies.length)] };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await home.drop();
  }
}

async function told(child) {
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The target ended with ${code}.`))),
  ]);
  const target = JSON.parse(line);
  const { id: client_id, secret: client_secret } = target.client;
  const fields = (refresh_token) => ({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
  const bodyOf = (token) => (target.form ? `${new URLSearchParams(fields(token))}` : JSON.stringify(fields(token)));
  return { ...target, type: target.form ? 'application/x-www-form-urlencoded' : 'application/json', bodyOf };
}

/** Each token was good once: no token of a chain is there twice, its last one is good, and those before are spent. */
async function check(target, chains) {
  const all = chains.flat();
  if (new Set(all).size !== all.length) throw new Error('A token was given out twice.');
  for (const chain of chains) {
    const last = await ask(target, target.bodyOf(chain.at(-1)));
    if (last.status !== 200) throw new Error(`The last token of a chain is not good: ${last.body}`);
    for (const spent of [chain.at(-1), chain[Math.floor(chain.length / 2)], chain[0]]) {
      const { status, body } = await ask(target, target.bodyOf(spent));
      if (status !== 400) throw new Error(`A spent token was answered ${status}: ${body}`);
    }
  }
}

async function newDatabase(kind) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const secret = { MASTER_SECRET: 'a secret of the bench and of nothing else', DEMO_DATA: 'off' };
  if (kind === 'sqlite') {
    const environment = { ...secret, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    return { environment, drop: () => rm(folder, { recursive: true }) };
  }
  const name = `bench_${process.pid}_${Date.now()}`;
  const admin = new pg.Client({ connectionString: POSTGRES });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES);
  url.pathname = `/${name}`;
  const drop = async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
    await rm(folder, { recursive: true });
  };
  return { environment: { ...secret, DATABASE_URL: url.href }, drop };
}

function print() {
  const say = (line) => process.stdout.write(`${line}\n`);
  say('| refreshes a second, 64 connections | median | min | max | p99 ms at 16 connections |\n|---|---|---|---|---|');
  for (const [name, { 64: many, 16: few }] of measured) {
    const rates = many.map(({ rate }) => rate);
    const p99 = median(few.map((one) => one.p99)).toFixed(1);
    say(
      `| ${name} | ${median(rates).toFixed(0)} | ${Math.min(...rates).toFixed(0)} | ${Math.max(...rates).toFixed(0)} | ${p99} |`,
    );
  }
  say('\n| | against | reached | asked | hoped for |\n|---|---|---|---|---|');
  const rateOf = (name) => median(measured.get(name)[64].map(({ rate }) => rate));
  for (const [ours, other, asked, hoped] of COMPARED) {
    say(`| ${ours} | ${other} | ${(rateOf(ours) / rateOf(other)).toFixed(2)} × | ${asked} × | ${hoped} × |`);
  }
  const p99Of = (name) => median(measured.get(name)[16].map(({ p99 }) => p99));
  const share = p99Of('ours, SQLite FULL') / p99Of('oidc-provider, SQLite FULL');
  say(`| p99 of ours, SQLite FULL | of oidc-provider, SQLite FULL | ${share.toFixed(2)} × | 0.5 × | 0.25 × |`);
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
