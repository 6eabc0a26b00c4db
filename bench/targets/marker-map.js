import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import Database from 'better-sqlite3';
import { DemoService } from '../../dist/src/app/demo/demo.service.js';
import { GeneratedMarkersService } from '../../dist/src/app/demo/generated-markers.service.js';
import { AppModule } from '../../dist/src/app.module.js';
import { announceReady } from './target-protocol.js';

/** Creates the map of `demo --scale`, and announces ids and locations of some of its markers. */
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
await app.get(DemoService).load();
await app.get(GeneratedMarkersService).load(Number(process.env.MARKERS), () => undefined);
await app.close();

const database = new Database(process.env.DATABASE_URL.slice('sqlite:'.length), { readonly: true });
const sample = database
  .prepare(
    'SELECT marker_id AS id, lat_e7, lon_e7 FROM marker_search WHERE live AND row_number % ? = 0 ORDER BY row_number',
  )
  .all(Math.max(1, Math.floor(Number(process.env.MARKERS) / 5000)));
announceReady({
  ids: sample.map(({ id }) => id),
  locations: sample.map(({ lat_e7, lon_e7 }) => ({ lat: lat_e7 / 1e7, lon: lon_e7 / 1e7 })),
});
