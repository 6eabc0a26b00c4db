import { newSqliteDatabase, type TestDatabase } from './database.js';
import { PostgresCluster } from './postgres-cluster.js';

/** An empty database of each kind, on PostgreSQL with a server of its own. */
export const DATABASES: [name: string, start: () => Promise<TestDatabase>][] = [
  ['SQLite', newSqliteDatabase],
  ['PostgreSQL', (): Promise<TestDatabase> => PostgresCluster.start()],
];
