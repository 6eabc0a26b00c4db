import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/src/app.module.js';
import { MarkersQuery } from '../dist/src/markers/markers-query.dto.js';
import { MarkersService } from '../dist/src/markers/markers.service.js';

/** How often each kind of search is made, after all of them were made so often, uncounted. */
const ROUNDS = Number(process.env.ROUNDS ?? 300);
const WARM_UP = 50;

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const markers = app.get(MarkersService);

const places = (await search({ limit: 500 })).data.map(({ location }) => location);
const words = ['fox', 'heron', 'paper', 'amber', 'mosaic'];
const random = randomFrom(7);
const pick = (list) => list[Math.floor(random() * list.length)];

const kinds = [
  ...[0.01, 0.1, 1, 5, 20].map((width) => [
    `box, half-width ${width}°`,
    () => ({ bbox: boxAround(anyPlace(), width) }),
  ]),
  ['box, the whole world', () => ({ bbox: [-180, -90, 180, 90] })],
  ['box 1°, status gone', () => ({ bbox: boxAround(anyPlace(), 1), status: ['gone'] })],
  ['box 1°, tag', () => ({ bbox: boxAround(anyPlace(), 1), tag: [pick(words)] })],
  ['near, 1 km', () => ({ ...anyPlace(), radius: 1000 })],
  ['near, 50 km', () => ({ ...anyPlace(), radius: 50_000 })],
  ['text, a common word, by relevance', () => ({ q: pick(words) })],
  ['text, a common word, by id', () => ({ q: pick(words), sort: 'id' })],
  ['text, two common words, by relevance', () => ({ q: `${pick(words)} ${pick(words)}` })],
  ['text, a rare word', () => ({ q: `no${Math.floor(random() * 9973)}` })],
  ['text, the beginning of a word', () => ({ q: pick(words).slice(0, 2) })],
  ['text, a common word in a box of 1°', () => ({ q: pick(words), bbox: boxAround(anyPlace(), 1) })],
  ['the tenth page of a box of 1°', () => ({ bbox: boxAround(anyPlace(), 1) }), 10],
];

for (const [, query] of kinds) for (let round = 0; round < WARM_UP; round++) await timeOf(query(), 1);

console.log('| search, a page of 100 | p50 ms | p95 ms | max ms |\n|---|---|---|---|');
for (const [name, query, pages = 1] of kinds) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timeOf(query(), pages));
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
}
await app.close();

/** Milliseconds that the last of so many pages takes. */
async function timeOf(query, pages) {
  let cursor;
  for (let page = 1; ; page++) {
    const started = performance.now();
    const { page: found } = await search({ ...query, cursor });
    const took = performance.now() - started;
    if (page >= pages || found.nextCursor === null) return took;
    cursor = found.nextCursor;
  }
}

function search(query) {
  return markers.list(Object.assign(new MarkersQuery(), query));
}

/** Nine in ten in a city, one anywhere. */
function anyPlace() {
  return random() < 0.9 ? pick(places) : { lat: random() * 140 - 70, lon: random() * 360 - 180 };
}

function boxAround({ lat, lon }, width) {
  const around = (degrees) => ((degrees + 540) % 360) - 180;
  return [around(lon - width), Math.max(-90, lat - width), around(lon + width), Math.min(90, lat + width)];
}

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
