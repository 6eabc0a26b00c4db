import { createSqliteDatabase, type TestDatabase } from './database.js';
import { PostgresCluster } from './postgres-cluster.js';

/** An empty database of each kind; PostgreSQL has its own server. */
export const FAULT_DATABASES: [name: string, start: () => Promise<TestDatabase>][] = [
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', (): Promise<TestDatabase> => PostgresCluster.start()],
];
