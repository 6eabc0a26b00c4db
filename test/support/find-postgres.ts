import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The folder of PostgreSQL versions on Debian. */
const DEBIAN_POSTGRES_DIR = '/usr/lib/postgresql';

/** Returns the folder of the programs of the newest installed PostgreSQL. */
export function findPostgres(): string {
  const versions = existsSync(DEBIAN_POSTGRES_DIR)
    ? readdirSync(DEBIAN_POSTGRES_DIR).sort((one, other) => Number(other) - Number(one))
    : [];
  const folders = [...versions.map((version) => join(DEBIAN_POSTGRES_DIR, version, 'bin')), ...listPathFolders()];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (found !== undefined) return found;
  throw new Error('There is no PostgreSQL to kill and to freeze: install one (on Debian, apt-get install postgresql).');
}

function listPathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
}

/** Stops the test run at its start when PostgreSQL is not installed. */
export default function requirePostgres(): void {
  findPostgres();
}
