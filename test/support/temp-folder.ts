import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder under the system's temporary folder. */
export interface TempFolder {
  path: string;
  remove: () => Promise<void>;
}

/** Creates an empty temporary folder. */
export async function createTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'street-art-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
