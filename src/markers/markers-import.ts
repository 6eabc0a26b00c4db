import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsOptional, validate } from 'class-validator';
import { Transactions } from '../database/transactions.js';
import { Text } from '../http/text.js';
import { detailsOf } from '../http/validation.pipe.js';
import { ArtworkFields, Location } from './marker.dto.js';
import { MarkersService, type NewMarker } from './markers.service.js';

/** How many features are written in one transaction. */
const BATCH = 200;

/** Members of a marker that the service gives it: in a file they are passed over. */
const GIVEN_BY_US = [
  'id',
  'kind',
  'region',
  'artists',
  'version',
  'openEditCount',
  'createdAt',
  'updatedAt',
  'distanceMeters',
];

/** What can stand in a feature's properties: the fields of an artwork, and for a place its type. */
class FeatureProperties extends ArtworkFields {
  @IsOptional()
  @Text(1, 40)
  placeType?: string | null;
}

interface Feature {
  id?: unknown;
  geometry?: { type?: unknown; coordinates?: unknown } | null;
  properties?: Record<string, unknown> | null;
}

/** What came of an import. */
export interface Imported {
  imported: number;
  skipped: number;
}

/** Who follows an import. */
export interface ImportProgress {
  /** So many of so many features have been looked at. */
  reached(done: number, total: number): void;
  /** A feature was passed over: its number in the file, from 1, and why. */
  refused(number: number, reason: string): void;
}

/** Puts an operator's own data onto the map: a GeoJSON FeatureCollection of points (RFC 7946). */
@Injectable()
export class MarkersImport {
  constructor(
    private readonly markers: MarkersService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws Error where the text is no FeatureCollection; a feature that is not as it should be is passed over */
  async run(geojson: string, progress: ImportProgress): Promise<Imported> {
    const features = readFeatures(geojson);
    const result: Imported = { imported: 0, skipped: 0 };
    for (let at = 0; at < features.length; at += BATCH) {
      const good: NewMarker[] = [];
      for (const [within, feature] of features.slice(at, at + BATCH).entries()) {
        const { marker, problem } = await readMarker(feature);
        if (marker) good.push(marker);
        else progress.refused(at + within + 1, problem);
      }
      await this.transactions.run(async (tx) => {
        for (const marker of good) await this.markers.create(tx, marker);
      });
      result.imported += good.length;
      result.skipped = Math.min(at + BATCH, features.length) - result.imported;
      progress.reached(Math.min(at + BATCH, features.length), features.length);
    }
    return result;
  }
}

function readFeatures(geojson: string): Feature[] {
  const collection = parse(geojson) as { type?: unknown; features?: unknown } | null;
  if (collection?.type !== 'FeatureCollection' || !Array.isArray(collection.features)) {
    throw new Error('The file is no GeoJSON FeatureCollection.');
  }
  return collection.features as Feature[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

type Read = { marker: NewMarker; problem?: never } | { marker?: never; problem: string };

async function readMarker(feature: Feature | null): Promise<Read> {
  const { geometry, properties } = feature ?? {};
  if (geometry?.type !== 'Point' || !Array.isArray(geometry.coordinates))
    return { problem: 'its geometry is no Point' };
  const [lon, lat] = geometry.coordinates as unknown[];
  const given = Object.entries(properties ?? {}).filter(([name]) => !GIVEN_BY_US.includes(name));
  const marker = plainToInstance(FeatureProperties, {
    ...Object.fromEntries(given),
    location: plainToInstance(Location, { lat, lon }),
  });
  const errors = detailsOf(await validate(marker, { whitelist: true, forbidNonWhitelisted: true }));
  if (errors[0]) return { problem: errors[0].message };
  if (marker.title === undefined) return { problem: 'it has no title' };
  if (properties?.['kind'] === 'place' && !marker.placeType) return { problem: 'it is a place without placeType' };
  return { marker };
}
