import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startService } from './environment.js';
import { median, printLine, printTable, spinner } from './report.js';

/** Addresses of documentation networks (RFC 5737). */
const ATTACKER = '198.51.100.7';
const PERSON = '203.0.113.8';

const PARALLEL_ATTEMPTS = 150;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PASSWORD = 'a long and correct password';

/** Longest time that a round waits for the person's sign-in. */
const PATIENCE_MS = 300_000;

/** Milliseconds from the start of the attack until the person signs in. */
const ATTACK_START_MS = 300;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Sends a sign-in form from an address. @returns status and Retry-After, in seconds */
function signIn({ port, agent, address, username, password, signal }) {
  const body = new URLSearchParams({ username, password }).toString();
  const headers = { 'X-Forwarded-For': address, 'Content-Type': FORM_TYPE, 'Content-Length': body.length };
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

/**
 * Sends 150 parallel attempts with made-up names.
 * @param repeats whether each attempt is followed by another one, until the signal aborts
 */
async function attack(port, { repeats, signal }) {
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL_ATTEMPTS });
  const counts = {};
  const attempt = async (index) => {
    for (let turn = 0; turn === 0 || (repeats && !signal.aborted); turn++) {
      const username = `made-up-${index}-${turn}`;
      const { status } = await signIn({ port, agent, address: ATTACKER, username, password: 'guess', signal }).catch(
        () => ({ status: 'open' }),
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_ATTEMPTS }, (_, index) => attempt(index)));
  agent.destroy();
  return counts;
}

/** Signs the person in, again after each rejection. @returns milliseconds until the sign-in */
async function measurePerson(port) {
  const started = performance.now();
  const agent = new Agent();
  for (;;) {
    const attempt = { port, agent, address: PERSON, username: 'mila', password: PASSWORD };
    const { status, retryAfter } = await signIn({ ...attempt, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (status === 303) return performance.now() - started;
    if (status !== 429 && status !== 503) throw new Error(`The sign-in of the person failed with ${status}.`);
    await sleep(retryAfter * 1000);
  }
}

/** Measures one sign-in on a new database, without and then with the attack. */
async function measureRound({ service, repeats }) {
  const { environment, folder, drop } = await createDatabase('sqlite');
  const env = { ...environment, RATE_LIMITS: 'on', TRUST_PROXY: '1', BASE_URL: 'http://localhost' };
  try {
    const fields = ['--username', 'mila', '--name', 'Mila', '--email', 'mila@example.org', '--password', PASSWORD];
    const cli = [resolve(service, 'dist/src/cli.js'), 'accounts', 'create', ...fields];
    await promisify(execFile)(process.execPath, cli, { env, cwd: folder });
    const main = resolve(service, 'dist/src/main.js');
    const { port, end } = await startService({ environment: env, folder, cores: '0-1', main });
    try {
      const alone = await measurePerson(port);
      const attackEnd = new AbortController();
      const attackCounts = attack(port, { repeats, signal: attackEnd.signal });
      await sleep(ATTACK_START_MS);
      const attacked = await measurePerson(port);
      attackEnd.abort();
      return { alone, attacked, counts: await attackCounts };
    } finally {
      await end();
    }
  } finally {
    await drop();
  }
}

const { values } = parseArgs({
  options: { service: { type: 'string', default: '.' }, repeat: { type: 'boolean', default: false } },
});
const rounds = [];
for (let round = 1; round <= ROUNDS; round++) {
  spinner.start(`Sign-in during an attack, round ${round} of ${ROUNDS}`);
  rounds.push(await measureRound({ service: values.service, repeats: values.repeat }));
}
spinner.stop();
const formatRow = (name, times) => [
  name,
  ...[median(times), Math.min(...times), Math.max(...times)].map((time) => (time / 1000).toFixed(2)),
];
printTable(
  [`seconds until the person is signed in, ${ROUNDS} rounds`, 'median', 'min', 'max'],
  [
    formatRow(
      'without an attack',
      rounds.map(({ alone }) => alone),
    ),
    formatRow(
      'during the attack',
      rounds.map(({ attacked }) => attacked),
    ),
  ],
);
const formatCounts = ({ counts }) => Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
printLine(`\nResponses to the attempts, by status: ${rounds.map((one) => formatCounts(one).join(', ')).join('; ')}.`);
