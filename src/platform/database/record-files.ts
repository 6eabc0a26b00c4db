import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters of a record from which a file is not accepted, because it would fill the memory. */
const MAX_RECORD_LENGTH = 1_000_000;

/** Records as text, ready to be written to a file, and their number. */
export interface RecordPage {
  text: string;
  count: number;
}

/**
 * Reads the records of a text whose records are separated by one character. A separator at the end
 * is followed by no record.
 * @throws Error if a record is too long
 */
export async function* splitRecords(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(separator);
    rest = parts.pop()!;
    if (rest.length > MAX_RECORD_LENGTH)
      throw new Error(`A record of the file has more than ${MAX_RECORD_LENGTH} characters.`);
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/** Collects values in batches of a size; the last batch can be smaller. */
export async function* toBatches<T>(values: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const value of values) {
    if (batch.push(value) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Writes a new file to the disk. If it cannot be completed, it is deleted.
 * @param transforms change the text on its way, for example compress it
 * @throws Error if the file exists or cannot be written, or if the text cannot be read
 */
export async function writeDraft(
  draft: string,
  chunks: AsyncIterable<string>,
  { transforms = [], signal }: { transforms?: Transform[]; signal?: AbortSignal } = {},
): Promise<void> {
  const file = createWriteStream(draft, { flags: 'wx', flush: true });
  try {
    await pipeline([Readable.from(chunks, { highWaterMark: 1 }), ...transforms, file], { ...(signal && { signal }) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true });
    throw error;
  }
}
