import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, validate } from 'class-validator';
import { createHash } from 'node:crypto';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsStore } from '../artists/artists.store.js';
import { IsSingleLine } from '../../platform/validation/text.decorator.js';
import { splitRecords, toBatches } from '../../platform/database/record-files.js';
import { toErrorDetails } from '../../platform/http/validation-details.js';
import { ArtworkFields } from './marker.dto.js';
import { MARKER_KINDS, type MarkerKind } from './marker.entity.js';
import { ImportProgressStore } from './import-progress.store.js';
import type { NewMarker } from './marker-row.js';
import { RECORD_SEPARATOR } from './markers-export.service.js';
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

/** An artist in a feature, as the API and an export name it. */
interface ImportedArtist {
  id?: unknown;
  name?: unknown;
}

interface ImportedFeature {
  id?: unknown;
  geometry?: { type?: unknown; coordinates?: unknown } | null;
  properties?: Record<string, unknown> | null;
}

/** A feature of a file: an object, or a record with the feature as JSON. */
type FileFeature = ImportedFeature | string | null;

/** The features of a file, from its start. */
interface FeatureSource {
  /** Digest of the content. */
  digest: string;
  /** Number of features. */
  total: number;
  features: AsyncIterable<FileFeature> | Iterable<FileFeature>;
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

/**
 * Imports an operator's data: a GeoJSON FeatureCollection of points (RFC 7946), or a GeoJSON text
 * sequence, as an export writes it.
 */
@Injectable()
export class MarkersImportService {
  constructor(
    private readonly markers: MarkersStore,
    private readonly artists: ArtistsStore,
    private readonly progress: ImportProgressStore,
  ) {}

  /**
   * Imports a FeatureCollection and skips invalid features. Continues an earlier import of the same
   * file, so that no feature is imported twice.
   * @throws Error if the text is not a FeatureCollection
   */
  async importGeoJson(geojson: string, listener: ImportListener): Promise<ImportResult> {
    const features = parseFeatures(geojson);
    const digest = createHash('sha256').update(geojson).digest('hex');
    return this.importFrom({ digest, total: features.length, features }, listener);
  }

  /**
   * Does the same with a GeoJSON text sequence (RFC 8142), in constant memory.
   * @param open reads the file from its start; called twice
   * @throws Error if a record is too long
   */
  async importSequence(open: () => AsyncIterable<string>, listener: ImportListener): Promise<ImportResult> {
    const hash = createHash('sha256');
    let total = 0;
    for await (const record of readSequence(open())) {
      hash.update(record).update(RECORD_SEPARATOR);
      total++;
    }
    const features = readSequence(open());
    return this.importFrom({ digest: hash.digest('hex'), total, features }, listener);
  }

  private async importFrom(
    { digest, total, features }: FeatureSource,
    listener: ImportListener,
  ): Promise<ImportResult> {
    const before = await this.progress.find(digest);
    let counts = before;
    let read = 0;
    for await (const batch of toBatches(features, BATCH_SIZE)) {
      const rest = batch.slice(Math.max(0, counts.processed - read));
      read += batch.length;
      if (rest.length === 0) continue;
      listener.onProgress(counts.processed, total);
      const markers = await this.parseBatch(rest.map(parseRecord), (index, reason) =>
        listener.onSkipped(counts.processed + index + 1, reason),
      );
      const written = await this.progress.writeBatch(digest, counts, rest.length, async (tx) => {
        return (await this.markers.createMany(tx, markers)).length;
      });
      if (!written) throw new Error('Another process is importing this file. Wait until it ends.');
      counts = written;
    }
    const imported = counts.imported - before.imported;
    const skipped = counts.processed - before.processed - imported;
    return { imported, skipped, ...(before.processed > 0 && { before: before.processed }) };
  }

  private async parseBatch(
    features: (ImportedFeature | null | undefined)[],
    onSkipped: ImportListener['onSkipped'],
  ): Promise<NewMarker[]> {
    const names = features.flatMap((feature) => listArtistNames(feature?.properties));
    const artists = await this.artists.findByNames(names);
    const markers: NewMarker[] = [];
    for (const [index, feature] of features.entries()) {
      const result = await this.parseFeature(feature, artists);
      if (typeof result === 'string') onSkipped(index, result);
      else markers.push(result);
    }
    return markers;
  }

  /** Returns the marker of a feature, or the reason why the feature is invalid. */
  private async parseFeature(
    feature: ImportedFeature | null | undefined,
    artists: Artist[],
  ): Promise<NewMarker | string> {
    if (feature === undefined) return 'the record must be JSON';
    const { geometry, properties } = feature ?? {};
    if (geometry?.type !== 'Point' || !Array.isArray(geometry.coordinates)) return 'geometry must be a Point';
    const [lon, lat] = geometry.coordinates as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number')
      return 'coordinates must be two numbers, longitude and latitude';
    if (typeof properties !== 'object' || Array.isArray(properties)) return 'properties must be an object';
    const editable = toEditableProperties(properties ?? {});
    const marker = plainToInstance(FeatureProperties, { ...editable, location: { lat, lon } });
    const [error] = toErrorDetails(await validate(marker, { whitelist: true, forbidNonWhitelisted: true }));
    if (error) return error.message.replace(/\.$/, '');
    const { title, location, kind, ...rest } = marker;
    if (title === undefined || location === undefined) return 'title is missing';
    if (kind === 'place' && !rest.placeType) return 'placeType is missing: a place requires it';
    if (kind === 'artwork' && rest.placeType) return 'placeType must not be set for an artwork';
    if (rest.placeType && rest.artistIds?.length) return 'artistIds must not be set for a place';
    if (rest.artistIds !== undefined) {
      const [unknown] = await this.artists.findUnknownIds(rest.artistIds ?? []);
      return unknown === undefined
        ? { ...rest, title, location }
        : `artistIds contains ${unknown}, which does not exist`;
    }
    const found = findArtistIds(properties ?? {}, artists);
    if (typeof found === 'string') return found;
    if (rest.placeType && found.length > 0) return 'artists must not be set for a place';
    return { ...rest, title, location, artistIds: found };
  }
}

/** Reads the records of a text sequence, in which a separator begins each record. */
async function* readSequence(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const record of splitRecords(chunks, RECORD_SEPARATOR)) if (record.trim() !== '') yield record;
}

/** Returns undefined for a record that is not JSON. */
function parseRecord(feature: FileFeature): ImportedFeature | null | undefined {
  if (typeof feature !== 'string') return feature;
  try {
    return JSON.parse(feature) as ImportedFeature | null;
  } catch {
    return undefined;
  }
}

/**
 * Returns the properties that the file can set. `photos` of an export contain the picture of its
 * `imageUrl` too.
 */
function toEditableProperties(properties: Record<string, unknown>): Record<string, unknown> {
  const ignored = Array.isArray(properties['photos'])
    ? [...SERVER_ASSIGNED_PROPERTIES, 'imageUrl']
    : SERVER_ASSIGNED_PROPERTIES;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !ignored.includes(name)));
}

function listArtists(properties: Record<string, unknown> | null | undefined): ImportedArtist[] {
  const artists = properties?.['artists'];
  return Array.isArray(artists) ? (artists as (ImportedArtist | null)[]).map((artist) => artist ?? {}) : [];
}

function listArtistNames(properties: Record<string, unknown> | null | undefined): string[] {
  return listArtists(properties).flatMap(({ name }) => (typeof name === 'string' ? name.normalize().trim() : []));
}

/**
 * Finds the artists of a feature by name. Of several with one name, it prefers the one with the id,
 * then the oldest.
 * @returns their ids, or the reason why an artist is unknown
 */
function findArtistIds(properties: Record<string, unknown>, known: Artist[]): string[] | string {
  const ids = new Set<string>();
  const artists = listArtists(properties);
  const names = listArtistNames(properties);
  const isList = properties['artists'] === undefined || Array.isArray(properties['artists']);
  if (!isList || names.length < artists.length) return 'artists must be a list of objects with a name';
  for (const [index, name] of names.entries()) {
    const named = known.filter((artist) => artist.name === name);
    const artist = named.find(({ id }) => id === artists[index]!.id) ?? named[0];
    if (!artist) return `artists contains ${JSON.stringify(name)}, which does not exist. Import the artists first`;
    ids.add(artist.id);
  }
  return [...ids].sort();
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
