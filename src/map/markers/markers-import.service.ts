import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, validate } from 'class-validator';
import { createHash } from 'node:crypto';
import { ArtistsStore } from '../artists/artists.store.js';
import { IsSingleLine } from '../../platform/validation/text.decorator.js';
import { toErrorDetails } from '../../platform/http/validation-details.js';
import { ArtworkFields } from './marker.dto.js';
import { MARKER_KINDS, type MarkerKind } from './marker.entity.js';
import { ImportProgressStore } from './import-progress.store.js';
import type { NewMarker } from './marker-row.js';
import { MarkersStore } from './markers.store.js';

/** Number of features per transaction. */
const BATCH_SIZE = 200;

/** Members of a marker that the service assigns. In a file they are ignored. */
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

/** Properties of a feature: the fields of an artwork, and the type of a place. */
class FeatureProperties extends ArtworkFields {
  @IsOptional()
  @IsIn(MARKER_KINDS)
  kind?: MarkerKind;

  @IsOptional()
  @IsSingleLine(1, 40)
  placeType?: string | null;
}

interface ImportedFeature {
  id?: unknown;
  geometry?: { type?: unknown; coordinates?: unknown } | null;
  properties?: Record<string, unknown> | null;
}

/** Result of an import. `before` is the number of features that earlier runs read. */
export interface ImportResult {
  imported: number;
  skipped: number;
  before?: number;
}

/** Receives the progress of an import. */
export interface ImportListener {
  /** Called before each batch, with the number of features that were read. */
  onProgress(done: number, total: number): void;
  /** Called for each feature that is invalid: its number in the file, from 1, and the reason. */
  onSkipped(number: number, reason: string): void;
}

/** Imports an operator's data: a GeoJSON FeatureCollection of points (RFC 7946). */
@Injectable()
export class MarkersImportService {
  constructor(
    private readonly markers: MarkersStore,
    private readonly artists: ArtistsStore,
    private readonly progress: ImportProgressStore,
  ) {}

  /**
   * Imports a file and skips invalid features. Continues an earlier import of the same file, so
   * that no feature is imported twice.
   * @throws Error if the text is not a FeatureCollection
   */
  async importGeoJson(geojson: string, listener: ImportListener): Promise<ImportResult> {
    const features = parseFeatures(geojson);
    const digest = createHash('sha256').update(geojson).digest('hex');
    const before = await this.progress.find(digest);
    let counts = before;
    while (counts.processed < features.length) {
      listener.onProgress(counts.processed, features.length);
      const batch = features.slice(counts.processed, counts.processed + BATCH_SIZE);
      const markers = await this.parseBatch(batch, (index, reason) =>
        listener.onSkipped(counts.processed + index + 1, reason),
      );
      const written = await this.progress.writeBatch(digest, counts, batch.length, async (tx) => {
        return (await this.markers.createMany(tx, markers)).length;
      });
      if (!written) throw new Error('Another process is importing this file. Wait until it ends.');
      counts = written;
    }
    const imported = counts.imported - before.imported;
    const skipped = counts.processed - before.processed - imported;
    return { imported, skipped, ...(before.processed > 0 && { before: before.processed }) };
  }

  private async parseBatch(features: ImportedFeature[], onSkipped: ImportListener['onSkipped']): Promise<NewMarker[]> {
    const markers: NewMarker[] = [];
    for (const [index, feature] of features.entries()) {
      const result = await this.parseFeature(feature);
      if (typeof result === 'string') onSkipped(index, result);
      else markers.push(result);
    }
    return markers;
  }

  /** Returns the marker of a feature, or the reason why the feature is invalid. */
  private async parseFeature(feature: ImportedFeature | null): Promise<NewMarker | string> {
    const { geometry, properties } = feature ?? {};
    if (geometry?.type !== 'Point' || !Array.isArray(geometry.coordinates)) return 'geometry must be a Point';
    const [lon, lat] = geometry.coordinates as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number')
      return 'coordinates must be two numbers, longitude and latitude';
    if (typeof properties !== 'object' || Array.isArray(properties)) return 'properties must be an object';
    const editable = Object.entries(properties ?? {}).filter(([name]) => !SERVER_ASSIGNED_PROPERTIES.includes(name));
    const marker = plainToInstance(FeatureProperties, { ...Object.fromEntries(editable), location: { lat, lon } });
    const [error] = toErrorDetails(await validate(marker, { whitelist: true, forbidNonWhitelisted: true }));
    if (error) return error.message.replace(/\.$/, '');
    const { title, location, kind, ...rest } = marker;
    if (title === undefined || location === undefined) return 'title is missing';
    if (kind === 'place' && !rest.placeType) return 'placeType is missing: a place requires it';
    if (kind === 'artwork' && rest.placeType) return 'placeType must not be set for an artwork';
    if (rest.placeType && rest.artistIds?.length) return 'artistIds must not be set for a place';
    const [unknown] = await this.artists.findUnknownIds(rest.artistIds ?? []);
    return unknown === undefined ? { ...rest, title, location } : `artistIds contains ${unknown}, which does not exist`;
  }
}

function parseFeatures(geojson: string): ImportedFeature[] {
  const collection = parseJson(geojson) as { type?: unknown; features?: unknown } | null;
  if (collection?.type !== 'FeatureCollection' || !Array.isArray(collection.features)) {
    throw new Error('The file must be a GeoJSON FeatureCollection.');
  }
  return collection.features as ImportedFeature[];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`The file must be JSON: ${(error as Error).message}.`, { cause: error });
  }
}
