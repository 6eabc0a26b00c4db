import { readFile } from 'node:fs/promises';
import { createDatabase, startTarget } from './environment.js';
import { formatGet, loadReads } from './http-read-load.js';
import {
  COMPARISON_HEADER,
  formatComparison,
  median,
  printLine,
  printTable,
  spinner,
  summarizeRates,
} from './report.js';

/** Markers on the measured map; `MARKERS` sets another number. */
const MARKER_COUNT = process.env.MARKERS ?? '100000';

const PAGE_SIZE = 100;
const CONNECTION_COUNT = 64;

/** Boxes per connection, each with at least a page of markers. */
const BOXES_PER_CONNECTION = 4;
const HALF_WIDTH_DEGREES = 0.03;
const MAX_MARKERS_IN_BOX = 1000;

/** The JIT compiler needs this long for all code of a read. */
const WARM_UP_SECONDS = 6;

/** Part of the file that the service maps into memory; the hand-written server does the same. */
const MMAP_SIZE = String(2 ** 31 - 2 ** 16);

/** Turns per target in a round: short, so that other load on the machine affects all targets. */
const SLICES_PER_ROUND = 10;

const AFTER = 'this service';
const BEFORE = 'this service, before';
const HANDWRITTEN = 'hand-written node:http server';

/**
 * Measures reads of markers on SQLite: a page of 100 in a box and one marker by id, beside a
 * hand-written server that sends the same bytes, and beside a NestJS route without work. With
 * `BEFORE`, the folder of another build, it measures that build too.
 */
export async function benchMarkers({ rounds, seconds }) {
  const { environment, drop } = await createDatabase('sqlite');
  const started = [];
  const start = async (file, more) => {
    const target = await startTarget(file, { ...environment, ...more });
    started.push(target);
    return target;
  };
  try {
    spinner.text = `Creating a map of ${MARKER_COUNT} markers`;
    const { target: map, end } = await startTarget('marker-map', {
      ...environment,
      NODE_ENV: 'development',
      MARKERS: MARKER_COUNT,
    });
    await end();
    const services = new Map([[AFTER, await start('service-markers')]]);
    if (process.env.BEFORE) services.set(BEFORE, await start('service-markers', { SERVICE_ROOT: process.env.BEFORE }));
    services.set(HANDWRITTEN, await start('handwritten-markers', { MMAP_SIZE }));
    const { tokens } = services.get(AFTER).target;
    const boxes = await findBoxes(services.get(HANDWRITTEN).target, map.locations);
    const paths = {
      page: boxes.map((box) => `/api/markers?bbox=${box}&limit=${PAGE_SIZE}`),
      byId: map.ids.map((id) => `/api/markers/${id}`),
    };
    await verifySameBodies([...services.values()], [...paths.page, ...paths.byId.slice(0, 200)], tokens[0]);
    const spread = (all) =>
      tokens.map((token, n) =>
        all.filter((_, index) => index % CONNECTION_COUNT === n).map((path) => formatGet(path, token)),
      );
    const open = spread(tokens.map(() => '/api/bench/open'));
    const cases = [...services].flatMap(([name, service]) => [
      [`page of ${PAGE_SIZE}: ${name}`, service, spread(paths.page)],
      [`by id: ${name}`, service, spread(paths.byId)],
    ]);
    cases.push(['NestJS route without work', services.get(AFTER), open]);
    print(await measure(cases, { rounds, seconds }), services.has(BEFORE));
  } finally {
    await Promise.all(started.map(({ end }) => end()));
    await drop();
  }
}

async function measure(cases, { rounds, seconds }) {
  const results = new Map(cases.map(([name]) => [name, { rates: [], cpu: [] }]));
  for (const [, { target }, requests] of cases) await loadReads(target, requests, WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    spinner.text = `Reading markers, round ${round} of ${rounds}`;
    const sums = new Map(cases.map(([name]) => [name, { rate: 0, cpu: 0, count: 0 }]));
    for (let slice = 0; slice < SLICES_PER_ROUND; slice++) {
      for (const [name, { target, pid }, requests] of cases) {
        const before = await readCpuMilliseconds(pid);
        const length = seconds / SLICES_PER_ROUND;
        const rate = await loadReads(target, requests, length);
        const sum = sums.get(name);
        sum.rate += rate / SLICES_PER_ROUND;
        sum.cpu += (await readCpuMilliseconds(pid)) - before;
        sum.count += rate * length;
      }
    }
    for (const [name, { rate, cpu, count }] of sums) {
      results.get(name).rates.push(rate);
      results.get(name).cpu.push((1000 * cpu) / count);
    }
  }
  return results;
}

function print(results, hasBefore) {
  printTable(
    ['requests per second, 64 connections', 'median', 'min', 'max', 'CPU µs per request'],
    [...results].map(([name, { rates, cpu }]) => [name, ...summarizeRates(rates), median(cpu).toFixed(0)]),
  );
  const page = (name) => `page of ${PAGE_SIZE}: ${name}`;
  const byId = (name) => `by id: ${name}`;
  const compare = (name, baseline, required, goal) => {
    const ratios = results.get(name).rates.map((rate, round) => rate / results.get(baseline).rates[round]);
    return formatComparison(name, baseline, median(ratios), required, goal);
  };
  const rows = [AFTER, ...(hasBefore ? [BEFORE] : [])].flatMap((name) => [
    compare(page(name), page(HANDWRITTEN), '0.8 ×', '1.5 ×'),
    compare(byId(name), 'NestJS route without work', '0.6 ×', '0.9 ×'),
    compare(byId(name), byId(HANDWRITTEN), '', ''),
  ]);
  printTable(COMPARISON_HEADER, rows);
  printLine('');
}

/** Returns boxes around markers that contain at least a page of markers. */
async function findBoxes(target, locations) {
  const boxes = [];
  for (const { lat, lon } of locations) {
    if (boxes.length === CONNECTION_COUNT * BOXES_PER_CONNECTION) break;
    const box = [lon - HALF_WIDTH_DEGREES, lat - HALF_WIDTH_DEGREES, lon + HALF_WIDTH_DEGREES, lat + HALF_WIDTH_DEGREES]
      .map((degrees) => Number(degrees.toFixed(4)))
      .join(',');
    const { data } = await (await fetch(`${target.url}/markers?bbox=${box}&limit=${MAX_MARKERS_IN_BOX}`)).json();
    if (data.length > PAGE_SIZE && data.length < MAX_MARKERS_IN_BOX) boxes.push(box);
  }
  if (boxes.length < CONNECTION_COUNT) throw new Error(`Only ${boxes.length} boxes have a page of markers.`);
  return boxes;
}

/** @throws Error if two targets send different bodies. Each has its own format of cursors. */
async function verifySameBodies(services, paths, token) {
  for (const path of paths) {
    const bodies = await Promise.all(
      services.map(async ({ target }) => {
        const response = await fetch(new URL(path, target.url), { headers: { Authorization: `Bearer ${token}` } });
        return (await response.text()).replace(/"nextCursor":"[^"]*"/, '"nextCursor":"…"');
      }),
    );
    const other = bodies.find((body) => body !== bodies[0]);
    if (other !== undefined) throw new Error(`Different bodies for ${path}: ${describeDifference(bodies[0], other)}`);
  }
}

function describeDifference(one, other) {
  let index = 0;
  while (one[index] === other[index]) index++;
  return [one, other].map((body) => body.slice(Math.max(0, index - 60), index + 60)).join(' | ');
}

/** Returns the CPU time of a process, in milliseconds. Linux counts in ticks of 10 ms. */
async function readCpuMilliseconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
