import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian keeps the programs of each version. */
const DEBIAN_POSTGRES_DIR = '/usr/lib/postgresql';

/** The folder of PostgreSQL's own programs, of the newest version that is installed. */
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

/** Stops a run that could try nothing before it begins. */
export default function requirePostgres(): void {
  findPostgres();
}
