/** `DATABASE_URL`, or the file that a fresh checkout starts with. */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string {
  return env['DATABASE_URL']?.trim() || 'sqlite:data/street-art.sqlite';
}

/** Whether the database is an SQLite file, on which writes go one at a time. */
export function isSqlite(url: string): boolean {
  return url.startsWith('sqlite:');
}

/** Whether reading and writing share one connection, because the database lives inside it. */
export function isInMemory(url: string): boolean {
  return url === 'sqlite::memory:';
}

/** Whether an address names a database that the service knows to use. */
export function isDatabaseUrl(url: string): boolean {
  if (isSqlite(url)) return url.length > 'sqlite:'.length;
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}
