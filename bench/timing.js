import { randomBytes } from 'node:crypto';
import { generateSecret } from '../dist/src/platform/crypto/opaque-secret.js';
import { openSocket, sendPost } from './http-load.js';
import { createDatabase, startService, startTarget } from './environment.js';
import { spinner, printTable } from './report.js';
import { comparePairs } from './statistics.js';

/** Warm-up requests per variant. */
const WARM_UP_REQUEST_COUNT = 500;

/**
 * Tests whether response times distinguish two kinds of rejection that have the same response. Each
 * pair has one request of each kind, in random order, on one connection, with bodies of the same
 * length.
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
      printTable(['rejections, ' + (kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'), ...TABLE_HEADER], rows);
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
  'difference of medians, 99 %',
  'mean difference, µs',
  't',
  'detectable from, µs',
  'differ',
];

/** Returns the comparisons, each with the requests of its two variants. */
function buildComparisons({ caller, ids, names, tokens }, { pairs, signIns }) {
  const token = (fields) => ({ path: '/api/oauth/token', type: 'application/json', body: JSON.stringify(fields) });
  const refresh = (refresh_token, credentials) => token({ grant_type: 'refresh_token', refresh_token, ...credentials });
  const refreshAs = (client_id) =>
    refresh(tokens.missing[0], { client_id, client_secret: generateSecret('sam_secret') });
  const signIn = (username) => {
    const body = new URLSearchParams({ username, password: randomBytes(8).toString('hex') }).toString();
    return { path: '/sign-in', type: 'application/x-www-form-urlencoded', body };
  };
  const [unknownApp, wrongSecret] = [
    () => refreshAs(pickRandom(ids.missing)),
    () => refreshAs(pickRandom(ids.existing)),
  ];
  const signInOnce = (list) => () => signIn(list.pop());
  return [
    { name: 'unknown app / wrong secret', count: pairs, status: 401, variants: [unknownApp, wrongSecret] },
    {
      name: 'unknown person / wrong password',
      count: signIns,
      status: 422,
      variants: [signInOnce([...names.missing]), signInOnce([...names.existing])],
      isOnce: true,
    },
    {
      name: 'unknown refresh token / token of another app',
      count: pairs,
      status: 400,
      variants: [() => refresh(pickRandom(tokens.missing), caller), () => refresh(pickRandom(tokens.existing), caller)],
    },
    { name: 'control: identical requests', count: pairs, status: 401, variants: [unknownApp, unknownApp] },
    {
      name: 'control: app with look-up / without',
      count: pairs,
      status: 401,
      variants: [unknownApp, () => refreshAs(`xxx${pickRandom(ids.missing).slice(3)}`)],
    },
  ];
}

async function measurePairs(socket, { name, count, status, variants, isOnce = false }) {
  const measure = async (variant) => {
    const { path, type, body } = variant();
    const started = process.hrtime.bigint();
    const response = await sendPost(socket, path, type, body);
    const microseconds = Number(process.hrtime.bigint() - started) / 1000;
    if (response.status !== status) throw new Error(`${name} responded ${response.status}: ${response.body}`);
    return microseconds;
  };
  if (!isOnce)
    for (let index = 0; index < WARM_UP_REQUEST_COUNT; index++) for (const variant of variants) await measure(variant);
  const pairs = [];
  for (let index = 0; index < count; index++) {
    if (index % 100 === 0) spinner.text = `Timing: ${name}, ${index} of ${count}`;
    const isReversed = Math.random() < 0.5;
    const first = await measure(variants[isReversed ? 1 : 0]);
    const second = await measure(variants[isReversed ? 0 : 1]);
    pairs.push(isReversed ? [second, first] : [first, second]);
  }
  return formatRow(name, count, comparePairs(pairs));
}

function formatRow(name, count, { medians, medianDifference, mean, t, detectable, differs }) {
  const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
  return [
    name,
    count,
    medians.map((value) => value.toFixed(1)).join(', '),
    medianDifference.map(signed).join(' to '),
    signed(mean),
    t.toFixed(1),
    detectable.toFixed(1),
    differs ? '**yes**' : 'no',
  ];
}

function pickRandom(list) {
  return list[Math.floor(Math.random() * list.length)];
}
