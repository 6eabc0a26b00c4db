import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { link, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AccountStoreModule } from '../../../identity/accounts/account-store.module.js';
import { ArtistFilesService } from '../../../map/artists/artist-files.service.js';
import { MarkersExportService, RECORD_SEPARATOR } from '../../../map/markers/markers-export.service.js';
import { type ImportListener, MarkersImportService } from '../../../map/markers/markers-import.service.js';
import { MarkersModule } from '../../../map/markers/markers.module.js';
import { type RecordPage, splitRecords, toBatches, writeDraft } from '../../../platform/database/record-files.js';
import { query } from '../../../platform/database/query.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

/** The argument that means standard output. */
const STANDARD_OUTPUT = '-';

/**
 * Number of records that one statement reads. A million records need 215 MB with 100, and 310 MB
 * with 250, because more texts wait for the next full garbage collection.
 */
const PAGE_SIZE = 100;

/** The records to export. */
interface ExportSource {
  /** The records in the plural, for the progress. */
  unit: string;
  total: number;
  pages: AsyncIterable<RecordPage>;
}

/** Exports the artworks and places. */
export function exportMarkers(_: object, file = ''): Promise<object | undefined> {
  assertNewFile(file);
  return withApplication([AccountStoreModule, MarkersModule], async (app) => {
    await unmapDatabase(app);
    const markers = app.get(MarkersExportService);
    const pages = markers.read({ pageSize: PAGE_SIZE });
    return exportRecords(file, { unit: 'markers', total: await markers.count(), pages });
  });
}

/** Exports the artists. */
export function exportArtists(_: object, file = ''): Promise<object | undefined> {
  assertNewFile(file);
  return withApplication([AccountStoreModule, MarkersModule], async (app) => {
    await unmapDatabase(app);
    const artists = app.get(ArtistFilesService);
    return exportRecords(file, { unit: 'artists', total: await artists.count(), pages: artists.read(PAGE_SIZE) });
  });
}

/** Imports a text sequence or a FeatureCollection. An empty file has no records. */
export async function importMarkers(_: object, file = ''): Promise<object> {
  const source = await openSource(file);
  const start = source.start.trimStart();
  const isSequence = start === '' || start.startsWith(RECORD_SEPARATOR);
  const geojson = isSequence ? undefined : await text(source.read());
  return withApplication([AccountStoreModule, MarkersModule], (app) =>
    withProgress({ text: `Reading ${file}` }, (progress) => {
      const importer = app.get(MarkersImportService);
      const listener: ImportListener = {
        onProgress: (done, total) => progress.update(done, total, 'features'),
        onSkipped: (number, reason) => progress.warn(`Feature ${number} was skipped: ${reason}.`),
      };
      return geojson === undefined
        ? importer.importSequence(source.read, listener)
        : importer.importGeoJson(geojson, listener);
    }),
  );
}

/** Imports a file with one artist per line. */
export async function importArtists(_: object, file = ''): Promise<object> {
  const source = await openSource(file);
  return withApplication([AccountStoreModule, MarkersModule], (app) =>
    withProgress({ text: `Reading ${file}` }, async (progress) => {
      let total = 0;
      for await (const lines of toBatches(splitRecords(source.read(), '\n'), PAGE_SIZE)) total += lines.length;
      return app.get(ArtistFilesService).importLines(
        source.read(),
        (done) => progress.update(done, total, 'artists'),
        (number, reason) => progress.warn(`Line ${number} was skipped: ${reason}.`),
      );
    }),
  );
}

/** A file to import. */
interface Source {
  /** The first part of its text; empty for an empty file. */
  start: string;
  /** Reads its text from the start. */
  read: () => AsyncIterable<string>;
}

/** A pipe can be read only once, so its text is kept in memory. */
async function openSource(file: string): Promise<Source> {
  try {
    const content = (await stat(file)).isFile() ? undefined : await readFile(file, 'utf8');
    const read = (): Readable =>
      content === undefined ? createReadStream(file, 'utf8') : Readable.from(content === '' ? [] : [content]);
    for await (const start of read() as AsyncIterable<string>) return { start, read };
    return { start: '', read };
  } catch (error) {
    throw new Error(`The file ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

function assertNewFile(file: string): void {
  if (file === STANDARD_OUTPUT) return;
  if (existsSync(file)) throw createFileExistsError(file);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}. Create it first.`);
}

function createFileExistsError(file: string): Error {
  return new Error(`${file} already exists. Choose a new file: an export never replaces one.`);
}

/** The mapped pages of an SQLite file would count as memory of the process. */
async function unmapDatabase(app: INestApplicationContext): Promise<void> {
  const { manager } = app.get(DataSource);
  if (manager.connection.options.type !== 'postgres') await query(manager, 'PRAGMA mmap_size = 0');
}

function exportRecords(file: string, { unit, total, pages }: ExportSource): Promise<object | undefined> {
  return withProgress({ text: `Exporting ${unit}` }, async (progress) => {
    let exported = 0;
    const texts = readTexts(pages, (count) => progress.update((exported += count), Math.max(total, exported), unit));
    if (file !== STANDARD_OUTPUT) {
      await writeNewFile(file, texts);
      return { file, exported };
    }
    await writeToStandardOutput(texts);
    return undefined;
  });
}

async function* readTexts(pages: AsyncIterable<RecordPage>, onRead: (count: number) => void): AsyncGenerator<string> {
  for await (const { text, count } of pages) {
    yield text;
    onRead(count);
  }
}

/** `src/cli.ts` ends the process if standard output cannot be written. */
async function writeToStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  for await (const text of texts) {
    // On a full disk, Node.js reports no error for the first bytes that do not fit.
    stdout.write(text.slice(0, -1));
    if (!stdout.write(text.slice(-1))) await once(stdout, 'drain');
  }
}

/** Writes a file that gets its name when it is complete. A signal stops it. */
async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());
  try {
    await writeDraft(draft, texts, { signal: controller.signal });
    await link(draft, file); // never replaces a file
  } catch (error) {
    throw describeWriteError(file, error as Error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the reason why the file was not written, or the error of the database. */
function describeWriteError(file: string, error: Error): Error {
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError') return new Error('The export was stopped, and the incomplete file was deleted.');
  if (code === 'EEXIST') return createFileExistsError(file);
  const isOfFile = ['open', 'write', 'fsync', 'close', 'link'].includes(syscall);
  return isOfFile ? new Error(`The file ${file} cannot be written: ${error.message}.`, { cause: error }) : error;
}
