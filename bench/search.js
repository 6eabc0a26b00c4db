import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/src/app.module.js';
import { MarkersQuery } from '../dist/src/map/markers/markers-query.dto.js';
import { MarkersService } from '../dist/src/map/markers/markers.service.js';

/** Measured rounds per kind of search, after unmeasured warm-up rounds. */
const ROUND_COUNT = Number(process.env.ROUNDS ?? 300);
const WARM_UP_ROUND_COUNT = 50;

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const markers = app.get(MarkersService);

const cityLocations = (await search({ limit: 500 })).data.map((marker) => marker.parse().location);
const words = ['fox', 'heron', 'paper', 'amber', 'mosaic'];
const random = createSeededRandom(7);
const pickRandom = (list) => list[Math.floor(random() * list.length)];

const searchCases = [
  ...[0.01, 0.1, 1, 5, 20].map((width) => [
    `box, half-width ${width}°`,
    () => ({ bbox: buildBoundingBox(pickLocation(), width) }),
  ]),
  ['box, whole world', () => ({ bbox: [-180, -90, 180, 90] })],
  ['box 1°, status gone', () => ({ bbox: buildBoundingBox(pickLocation(), 1), status: ['gone'] })],
  ['box 1°, tag', () => ({ bbox: buildBoundingBox(pickLocation(), 1), tag: [pickRandom(words)] })],
  ['near, 1 km', () => nearby(1000)],
  ['near, 50 km', () => nearby(50_000)],
  ['text: common word, by relevance', () => ({ q: pickRandom(words) })],
  ['text: common word, by id', () => ({ q: pickRandom(words), sort: 'id' })],
  ['text: two common words, by relevance', () => ({ q: `${pickRandom(words)} ${pickRandom(words)}` })],
  ['text: rare word', () => ({ q: `no${Math.floor(random() * 9973)}` })],
  ['text: start of a word', () => ({ q: pickRandom(words).slice(0, 2) })],
  ['text: one letter', () => ({ q: pickRandom(words).slice(0, 1) })],
  ['text: word of descriptions only', () => ({ q: 'beside' })],
  ['text: three common words', () => ({ q: `${pickRandom(words)} ${pickRandom(words)} ${pickRandom(words)}` })],
  ['text: artist and word', () => ({ q: `${pickRandom(words)} heron anonymous` })],
  [
    'text: common word within 5 km, by relevance',
    () => ({ ...nearby(5_000), q: pickRandom(words), sort: 'relevance' }),
  ],
  ['text: common word in a box of 1°', () => ({ q: pickRandom(words), bbox: buildBoundingBox(pickLocation(), 1) })],
  ['one of three tags', () => ({ tag: [pickRandom(words), pickRandom(words), pickRandom(words)] })],
  ['one of three tags, status gone', () => ({ tag: ['fox', 'heron', pickRandom(words)], status: ['gone'] })],
  ['tenth page of a box of 1°', () => ({ bbox: buildBoundingBox(pickLocation(), 1) }), 10],
];

/** Searches that read as much as a search can. */
const worstCases = [
  ['count: nothing matches', () => ({ kind: ['place'], yearFrom: 1990, count: true, limit: 1 })],
  ['count: common word, nothing matches', () => ({ q: pickRandom(words), kind: ['place'], count: true, limit: 1 })],
  ['near, 50 km, nothing matches', () => ({ ...nearby(50_000), kind: ['place'] })],
  ['three tags, nothing matches', () => ({ tag: ['fox', 'heron', 'amber'], kind: ['place'] })],
];

const cases = process.argv.includes('worst') ? worstCases : searchCases;
for (const [, query] of cases)
  for (let round = 0; round < WARM_UP_ROUND_COUNT; round++) await measureLastPage(query(), 1);

console.log('| search, a page of 100 | p50 ms | p95 ms | max ms |\n|---|---|---|---|');
for (const [name, query, pages = 1] of cases) {
  const times = [];
  for (let round = 0; round < ROUND_COUNT; round++) times.push(await measureLastPage(query(), pages));
  times.sort((one, other) => one - other);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  console.log(`| ${name} | ${percentile(0.5)} | ${percentile(0.95)} | ${percentile(1)} |`);
}
await app.close();

/** Returns the milliseconds that the last page takes. */
async function measureLastPage(query, pages) {
  let cursor;
  for (let page = 1; ; page++) {
    const started = performance.now();
    const { page: pageInfo } = await search({ ...query, cursor });
    const milliseconds = performance.now() - started;
    if (page >= pages || pageInfo.nextCursor === null) return milliseconds;
    cursor = pageInfo.nextCursor;
  }
}

function search(query) {
  return markers.list(Object.assign(new MarkersQuery(), query));
}

/** Returns a location: nine of ten are in a city. */
function pickLocation() {
  return random() < 0.9 ? pickRandom(cityLocations) : { lat: random() * 140 - 70, lon: random() * 360 - 180 };
}

function nearby(radius) {
  return { ...pickLocation(), radius };
}

function buildBoundingBox({ lat, lon }, width) {
  const around = (degrees) => ((degrees + 540) % 360) - 180;
  return [around(lon - width), Math.max(-90, lat - width), around(lon + width), Math.min(90, lat + width)];
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
function createSeededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
