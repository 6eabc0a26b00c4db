import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startService } from './environment.js';
import { median, printLine, printTable, spinner } from './report.js';

const PASSWORD = 'a long and correct password';

/** Longest time that a person waits for the sign-in. */
const PATIENCE_MS = 300_000;

/** Milliseconds from the start of an attack until the first person signs in. */
const ATTACK_START_MS = 300;

/** Pause between the sign-ins of two people. */
const PAUSE_MS = 500;

const PARALLEL_ATTEMPTS = 150;

/** Sources of attempts: functions from the number of an attempt to an address (RFC 5737, 3849). */
const SOURCES = {
  'one address': () => '198.51.100.7',
  'a /48 of IPv6': (attempt) => `2001:db8:7:${(attempt % 65_536).toString(16)}::1`,
  '64 addresses': (attempt) => `198.18.${attempt % 64}.7`,
};

/** The credentials of attempts: those of an account of the attacker, or made-up names. */
const CREDENTIALS = {
  'valid account': () => ({ username: 'attacker', password: PASSWORD }),
  'wrong names': (attempt) => ({ username: `made-up-${attempt}`, password: 'guess' }),
};

/** Sends a sign-in form from an address. @returns status and Retry-After, in seconds */
function signIn({ port, agent, address, username, password, signal }) {
  const body = new URLSearchParams({ username, password }).toString();
  const type = 'application/x-www-form-urlencoded';
  const headers = { 'X-Forwarded-For': address, 'Content-Type': type, 'Content-Length': body.length };
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port, path: '/sign-in', method: 'POST', agent, headers, signal };
    const sent = request(options, (response) => {
      response.resume().on('end', () => {
        done({ status: response.statusCode, retryAfter: Number(response.headers['retry-after'] ?? 0) });
      });
      response.on('error', fail);
    });
    sent.on('error', fail).end(body);
  });
}

/** Keeps 150 attempts open until the signal aborts. @returns the number of responses by status */
async function attack({ port, source, credentials, signal }) {
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL_ATTEMPTS });
  const counts = {};
  let attempts = 0;
  const repeat = async () => {
    while (!signal.aborted) {
      const attempt = attempts++;
      const form = { address: source(attempt), ...credentials(attempt) };
      const { status } = await signIn({ port, agent, signal, ...form }).catch(() => ({ status: 'open' }));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_ATTEMPTS }, repeat));
  agent.destroy();
  return counts;
}

/** Signs a person in, again after each rejection. @returns seconds, and whether one try did it */
async function measurePerson(port, person) {
  const started = performance.now();
  const agent = new Agent();
  const form = { address: `203.0.${person}.8`, username: `person-${person}`, password: PASSWORD };
  for (let tries = 1; ; tries++) {
    const attempt = { port, agent, ...form };
    const { status, retryAfter } = await signIn({ ...attempt, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (status === 303) return { seconds: (performance.now() - started) / 1000, isFirstTry: tries === 1 };
    if (status !== 429 && status !== 503) throw new Error(`The sign-in of a person failed with ${status}.`);
    await sleep(retryAfter * 1000);
  }
}

/** Signs people in, one after the other. */
async function measurePeople(port) {
  const results = [];
  for (let person = 1; person <= PEOPLE; person++) {
    results.push(await measurePerson(port, person));
    await sleep(PAUSE_MS);
  }
  return results;
}

/** Measures sign-ins on a new database, without and then with an attack. */
async function measureAttack({ service, source, credentials }) {
  const { environment, folder, drop } = await createDatabase('sqlite');
  const env = { ...environment, RATE_LIMITS: 'on', TRUST_PROXY: '1', BASE_URL: 'http://localhost' };
  const createAccount = (username) => {
    const fields = ['--username', username, '--name', username, '--email', `${username}@example.org`];
    const cli = [resolve(service, 'dist/src/cli.js'), 'accounts', 'create', ...fields, '--password', PASSWORD];
    return promisify(execFile)(process.execPath, cli, { env, cwd: folder });
  };
  try {
    await createAccount('attacker');
    for (let person = 1; person <= PEOPLE; person++) await createAccount(`person-${person}`);
    const main = resolve(service, 'dist/src/main.js');
    const { port, end } = await startService({ environment: env, folder, cores: '0-1', main });
    try {
      const alone = await measurePerson(port, 1);
      const attackEnd = new AbortController();
      const attackCounts = attack({ port, source, credentials, signal: attackEnd.signal });
      await sleep(ATTACK_START_MS);
      const people = await measurePeople(port);
      attackEnd.abort();
      return { alone, people, counts: await attackCounts };
    } finally {
      await end();
    }
  } finally {
    await drop();
  }
}

function formatRow(name, { alone, people }) {
  const seconds = people.map((person) => person.seconds);
  const firstTries = people.filter(({ isFirstTry }) => isFirstTry).length;
  const times = [alone.seconds, median(seconds), Math.max(...seconds)];
  return [name, `${firstTries} of ${PEOPLE}`, ...times.map((time) => time.toFixed(2))];
}

const { values } = parseArgs({
  options: { service: { type: 'string', default: '.' }, people: { type: 'string', default: '12' } },
});
const PEOPLE = Number(values.people);
const attacks = Object.entries(SOURCES).flatMap(([from, source]) =>
  Object.entries(CREDENTIALS).map(([form, credentials]) => ({ name: `${from}, ${form}`, source, credentials })),
);
const results = [];
for (const { name, source, credentials } of attacks) {
  spinner.start(`Sign-in during an attack: ${name}`);
  results.push({ name, ...(await measureAttack({ service: values.service, source, credentials })) });
}
spinner.stop();
printTable(
  [`150 attempts at a time from`, 'signed in at the first try', 'seconds without attack', 'median', 'max'],
  results.map((result) => formatRow(result.name, result)),
);
for (const { name, counts } of results) {
  const numbers = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
  printLine(`Responses to the attempts from ${name}: ${numbers.join(', ')}.`);
}
