import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { Settings } from '../../platform/config/settings.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { type RecordPage, splitRecords, toBatches } from '../../platform/database/record-files.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { toErrorDetails } from '../../platform/http/validation-details.js';
import { ArtistFields, toArtistResponse } from './artist.dto.js';
import { ArtistsStore, type NewArtist } from './artists.store.js';

/** Number of lines per transaction. */
const BATCH_SIZE = 200;

/** Members of a line that the service assigns. In a file they are ignored. */
const SERVER_ASSIGNED_MEMBERS = new Set([
  'id',
  'artworkCount',
  'version',
  'createdAt',
  'updatedAt',
  'license',
  'attribution',
]);

/** Result of an import. `existing` is the number of artists whose name the map had. */
export interface ArtistImportResult {
  imported: number;
  existing: number;
  skipped: number;
}

/** Exports artists as JSON lines, and imports them by name. */
@Injectable()
export class ArtistFilesService {
  constructor(
    private readonly artists: ArtistsStore,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /** Returns the number of live artists. */
  count(): Promise<number> {
    return this.artists.count();
  }

  /**
   * Reads the live artists, each as a line of JSON. The first line also has the members `license`
   * and `attribution`.
   * @param pageSize number of artists that one statement reads
   */
  async *read(pageSize: number): AsyncGenerator<RecordPage> {
    let members = this.settings.licenseMembers;
    for (let after: string | undefined = ''; after !== undefined;) {
      const artists = await this.artists.findAfter(after, pageSize);
      const lines = artists.map((artist) => {
        const line = `${JSON.stringify({ ...members, ...toArtistResponse(artist) })}\n`;
        members = {};
        return line;
      });
      if (lines.length > 0) yield { text: lines.join(''), count: lines.length };
      after = artists.length < pageSize ? undefined : artists.at(-1)!.id;
    }
  }

  /**
   * Imports lines of JSON, and skips invalid ones. An artist whose name the map has stays as it is,
   * so that a repeated import continues.
   * @param onProgress called before each batch with the number of lines that were read
   * @param onSkipped called for each invalid line: its number in the file, from 1, and the reason
   */
  async importLines(
    chunks: AsyncIterable<string>,
    onProgress: (done: number) => void,
    onSkipped: (number: number, reason: string) => void,
  ): Promise<ArtistImportResult> {
    const result: ArtistImportResult = { imported: 0, existing: 0, skipped: 0 };
    let done = 0;
    for await (const lines of toBatches(splitRecords(chunks, '\n'), BATCH_SIZE)) {
      onProgress(done);
      const artists: NewArtist[] = [];
      for (const [index, line] of lines.entries()) {
        if (line.trim() === '') continue;
        const artist = await parseLine(line);
        if (typeof artist !== 'string') artists.push(artist);
        else {
          onSkipped(done + index + 1, artist);
          result.skipped++;
        }
      }
      const imported = await this.createMissing(artists);
      result.imported += imported;
      result.existing += artists.length - imported;
      done += lines.length;
    }
    return result;
  }

  /** Creates the artists whose names the map does not have. @returns their number */
  private createMissing(artists: NewArtist[]): Promise<number> {
    return this.transactions.run(async (tx) => {
      await lock(tx, 'imports', 'artists');
      const names = artists.map(({ name }) => name);
      const known = new Set((await this.artists.findByNames(names, tx)).map(({ name }) => name));
      let created = 0;
      for (const artist of artists) {
        if (known.has(artist.name)) continue;
        await this.artists.create(tx, artist);
        known.add(artist.name);
        created++;
      }
      return created;
    });
  }
}

/** Returns the artist of a line, or the reason why the line is invalid. */
async function parseLine(line: string): Promise<NewArtist | string> {
  const members = parseObject(line);
  if (!members) return 'the line must be a JSON object';
  const editable = Object.entries(members).filter(([name]) => !SERVER_ASSIGNED_MEMBERS.has(name));
  const artist = plainToInstance(ArtistFields, Object.fromEntries(editable));
  const [error] = toErrorDetails(await validate(artist, { whitelist: true, forbidNonWhitelisted: true }));
  if (error) return error.message.replace(/[.?]$/, '');
  const { name, ...rest } = artist;
  return name === undefined ? 'name is missing' : { ...rest, name };
}

function parseObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
