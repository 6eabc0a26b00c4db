import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, validate } from 'class-validator';
import { createHash } from 'node:crypto';
import { ArtistsStore } from '../artists/artists.store.js';
import { IsSingleLine } from '../../platform/validation/text.decorator.js';
import { toErrorDetails } from '../../platform/http/api-validation.pipe.js';
import { ArtworkFields } from './marker.dto.js';
import { MARKER_KINDS, type MarkerKind } from './marker.entity.js';
import { ImportProgressStore } from './import-progress.store.js';
import { MarkersStore, type NewMarker } from './markers.store.js';

/** How many features are written in one transaction. */
const BATCH_SIZE = 200;

/** Members of a marker that the service gives it: in a file they are passed over. */
const SERVER_ASSIGNED_PROPERTIES = [
  'id',
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
  @IsIn(MARKER_KINDS)
  kind?: MarkerKind;

  @IsOptional()
  @IsSingleLine(1, 40)
  placeType?: string | null;
}

interface Feature {
  id?: unknown;
  geometry?: { type?: unknown; coordinates?: unknown } | null;
  properties?: Record<string, unknown> | null;
}

/** What came of an import: of this run, and, where it was begun before, of those before it. */
export interface ImportResult {
  imported: number;
  skipped: number;
  before?: number;
}

/** Who follows an import. */
export interface ImportListener {
  /** So many of so many features have been looked at. */
  onProgress(done: number, total: number): void;
  /** A feature was passed over: its number in the file, from 1, and why. */
  onSkipped(number: number, reason: string): void;
}

/** Puts an operator's own data onto the map: a GeoJSON FeatureCollection of points (RFC 7946). */
@Injectable()
export class MarkersImportService {
  constructor(
    private readonly markers: MarkersStore,
    private readonly artists: ArtistsStore,
    private readonly progress: ImportProgressStore,
  ) {}

  /**
   * Goes on where an import of the same file ended, so that no feature comes twice.
   * @throws Error where the text is no FeatureCollection; a feature that is not as it should be is passed over
   */
  async importGeoJson(geojson: string, follower: ImportListener): Promise<ImportResult> {
    const features = parseFeatures(geojson);
    const digest = createHash('sha256').update(geojson).digest('hex');
    const before = await this.progress.find(digest);
    let reached = before;
    while (reached.processed < features.length) {
      follower.onProgress(reached.processed, features.length);
      const batch = features.slice(reached.processed, reached.processed + BATCH_SIZE);
      const good = await this.parseBatch(batch, (within, reason) =>
        follower.onSkipped(reached.processed + within + 1, reason),
      );
      const written = await this.progress.writeBatch(digest, reached, batch.length, async (tx) => {
        return (await this.markers.createMany(tx, good)).length;
      });
      if (!written)
        throw new Error('This file is being imported by another process. Nothing is lost: look at that one.');
      reached = written;
    }
    const imported = reached.imported - before.imported;
    const skipped = reached.processed - before.processed - imported;
    return { imported, skipped, ...(before.processed > 0 && { before: before.processed }) };
  }

  private async parseBatch(features: Feature[], refused: ImportListener['onSkipped']): Promise<NewMarker[]> {
    const good: NewMarker[] = [];
    for (const [at, feature] of features.entries()) {
      const read = await this.parseFeature(feature);
      if (typeof read === 'string') refused(at, read);
      else good.push(read);
    }
    return good;
  }

  /** The marker of a feature, or what is wrong with it. */
  private async parseFeature(feature: Feature | null): Promise<NewMarker | string> {
    const { geometry, properties } = feature ?? {};
    if (geometry?.type !== 'Point' || !Array.isArray(geometry.coordinates)) return 'its geometry is no Point';
    const [lon, lat] = geometry.coordinates as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number') return 'its coordinates are no numbers';
    if (typeof properties !== 'object' || Array.isArray(properties)) return 'its properties are no object';
    const given = Object.entries(properties ?? {}).filter(([name]) => !SERVER_ASSIGNED_PROPERTIES.includes(name));
    const marker = plainToInstance(FeatureProperties, { ...Object.fromEntries(given), location: { lat, lon } });
    const [error] = toErrorDetails(await validate(marker, { whitelist: true, forbidNonWhitelisted: true }));
    if (error) return error.message.replace(/\.$/, '');
    const { title, location, kind, ...rest } = marker;
    if (title === undefined || location === undefined) return 'it has no title';
    if (kind === 'place' && !rest.placeType) return 'it is a place without placeType';
    if (kind === 'artwork' && rest.placeType) return 'it is an artwork with a placeType';
    if (rest.placeType && rest.artistIds?.length) return 'it is a place, and places are by no artist';
    const [unknown] = await this.artists.findUnknownIds(rest.artistIds ?? []);
    return unknown === undefined ? { ...rest, title, location } : `there is no artist ${unknown}`;
  }
}

function parseFeatures(geojson: string): Feature[] {
  const collection = parseJson(geojson) as { type?: unknown; features?: unknown } | null;
  if (collection?.type !== 'FeatureCollection' || !Array.isArray(collection.features)) {
    throw new Error('The file is no GeoJSON FeatureCollection.');
  }
  return collection.features as Feature[];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
