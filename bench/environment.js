import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export const MASTER_SECRET = 'only the benchmarks use this key 7391480265';
const POSTGRES_URL = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';

/** Creates an empty database, and the environment of a service that uses it. */
export async function createDatabase(kind) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const shared = {
    ...process.env,
    NODE_ENV: 'production',
    MASTER_SECRET: MASTER_SECRET,
    DEMO_DATA: 'off',
    RATE_LIMITS: 'off',
  };
  if (kind === 'sqlite') {
    const environment = { ...shared, DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}` };
    return { folder, environment, drop: () => rm(folder, { recursive: true }) };
  }
  const name = `bench_${process.pid}_${Date.now()}`;
  const admin = new pg.Client({ connectionString: POSTGRES_URL });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  const drop = async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
    await rm(folder, { recursive: true });
  };
  return { folder, environment: { ...shared, DATABASE_URL: url.href }, drop };
}

/**
 * Runs a script of `targets/` on the first core.
 * @returns its announcement and a function that ends it
 */
export async function startTarget(file, environment) {
  const script = new URL(`targets/${file}.js`, import.meta.url).pathname;
  const child = spawn('taskset', ['-c', '0', process.execPath, script], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The target ${file} ended with ${code}.`))),
  ]);
  const end = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { target: JSON.parse(line), pid: child.pid, end };
}

/**
 * Checks a port with little CPU load, because the check shares the machine with the measured
 * process.
 */
function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Linux counts the CPU time of a process in ticks of this many milliseconds. */
const TICK_MS = 10;

/** Returns the CPU time of a process, in milliseconds. */
export async function readCpuTime(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) * TICK_MS;
}

const MAIN_SCRIPT = new URL('../dist/src/main.js', import.meta.url).pathname;

/**
 * Starts the built service on the given cores and waits until it responds.
 * @param main the entry point, if it is that of another build
 */
export async function startService({ environment, folder, cores, main = MAIN_SCRIPT }) {
  const port = await findFreePort();
  const env = { ...environment, HOST: '127.0.0.1', PORT: String(port) };
  const child = spawn('taskset', ['-c', cores, process.execPath, main], { env, cwd: folder, stdio: 'ignore' });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    await sleep(2);
  }
  const { status } = await fetch(`http://127.0.0.1:${port}/api/edits/mine`);
  if (status !== 401) throw new Error(`The service responds ${status}.`);
  const end = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { pid: child.pid, port, end };
}
