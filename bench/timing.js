import { randomBytes } from 'node:crypto';
import { generateSecret } from '../dist/src/platform/crypto/opaque-secret.js';
import { openSocket, sendPost } from './http-load.js';
import { createDatabase, startService, startTarget } from './environment.js';
import { spinner, printTable } from './report.js';
import { comparePairs } from './statistics.js';

/** Requests before those that are measured. */
const WARM_UP_REQUEST_COUNT = 500;

/**
 * Whether the time of a refusal tells what its words do not. Of each two kinds of refusal, one of each is asked for, one right after the
 * other, in random order, by one connection, with bodies of one length; and again.
 */
export async function benchTiming({ pairs, signIns }) {
  for (const kind of ['sqlite', 'postgres']) {
    const { environment, folder, drop } = await createDatabase(kind);
    const { target, end } = await startTarget('timing-data', { ...environment, ACCOUNTS: String(signIns) });
    await end();
    const service = await startService({ environment: { ...environment, RATE_LIMITS: 'off' }, folder, cores: '0' });
    const socket = await openSocket('127.0.0.1', service.port);
    try {
      const rows = [];
      for (const comparison of buildComparisons(target, { pairs, signIns }))
        rows.push(await measurePairs(socket, comparison));
      printTable(['refusals, ' + (kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'), ...TABLE_HEADER], rows);
    } finally {
      socket.destroy();
      await service.end();
      await drop();
    }
  }
}

const TABLE_HEADER = [
  'pairs',
  'medians, µs',
  'difference of medians, 99 % sure',
  'mean difference, µs',
  't',
  'would be found from, µs',
  'differ',
];

/** Each with two ways to be refused: the address, and the body of each. */
function buildComparisons({ caller, ids, names, tokens }, { pairs, signIns }) {
  const token = (fields) => ({ path: '/api/oauth/token', type: 'application/json', body: JSON.stringify(fields) });
  const refresh = (refresh_token, credentials) => token({ grant_type: 'refresh_token', refresh_token, ...credentials });
  const by = (client_id) => refresh(tokens.not[0], { client_id, client_secret: generateSecret('sam_secret') });
  const signIn = (username) => {
    const body = new URLSearchParams({ username, password: randomBytes(8).toString('hex') }).toString();
    return { path: '/sign-in', type: 'application/x-www-form-urlencoded', body };
  };
  const [unknownApp, wrongSecret] = [() => by(pickRandom(ids.not)), () => by(pickRandom(ids.there))];
  const nextOf = (list) => () => signIn(list.pop());
  return [
    { name: 'an unknown app, and a wrong secret', count: pairs, status: 401, ways: [unknownApp, wrongSecret] },
    {
      name: 'an unknown person, and a wrong password',
      count: signIns,
      status: 422,
      ways: [nextOf([...names.not]), nextOf([...names.there])],
      isOnce: true,
    },
    {
      name: "an unknown refresh token, and another app's",
      count: pairs,
      status: 400,
      ways: [() => refresh(pickRandom(tokens.not), caller), () => refresh(pickRandom(tokens.there), caller)],
    },
    { name: 'to see the method: one and the same', count: pairs, status: 401, ways: [unknownApp, unknownApp] },
    {
      name: 'to see the method: an app that is looked up, and one that is not',
      count: pairs,
      status: 401,
      ways: [unknownApp, () => by(`xxx${pickRandom(ids.not).slice(3)}`)],
    },
  ];
}

async function measurePairs(socket, { name, count, status, ways, isOnce = false }) {
  const time = async (way) => {
    const { path, type, body } = way();
    const started = process.hrtime.bigint();
    const answer = await sendPost(socket, path, type, body);
    const took = Number(process.hrtime.bigint() - started) / 1000;
    if (answer.status !== status) throw new Error(`${name} was answered ${answer.status}: ${answer.body}`);
    return took;
  };
  if (!isOnce) for (let at = 0; at < WARM_UP_REQUEST_COUNT; at++) for (const way of ways) await time(way);
  const pairs = [];
  for (let at = 0; at < count; at++) {
    if (at % 100 === 0) spinner.text = `Timing: ${name}, ${at} of ${count}`;
    const isTurned = Math.random() < 0.5;
    const first = await time(ways[isTurned ? 1 : 0]);
    const second = await time(ways[isTurned ? 0 : 1]);
    pairs.push(isTurned ? [second, first] : [first, second]);
  }
  return formatRow(name, count, comparePairs(pairs));
}

function formatRow(name, count, { medians, ofMedians, mean, t, detectable, differs }) {
  const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
  return [
    name,
    count,
    medians.map((value) => value.toFixed(1)).join(', '),
    ofMedians.map(signed).join(' to '),
    signed(mean),
    t.toFixed(1),
    detectable.toFixed(1),
    differs ? '**yes**' : 'no',
  ];
}

function pickRandom(list) {
  return list[Math.floor(Math.random() * list.length)];
}
