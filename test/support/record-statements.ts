import type { EventEmitter } from 'node:events';
import type { DataSource, Logger } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { TestServer } from './test-server.js';

const ignore = (): void => undefined;

/** Passes each statement of a test server to `onStatement`, from all its connections. */
export async function recordStatements(server: TestServer, onStatement: (statement: string) => void): Promise<void> {
  const { manager, transactions } = server.get(ReservedConnections);
  const [writer, reservedWriter] = await Promise.all(
    [server.get(TransactionService), transactions].map((one) =>
      one.run((tx): Promise<DataSource> => Promise.resolve(tx.connection)),
    ),
  );
  const logger: Logger = {
    logQuery: onStatement,
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  for (const connection of [server.entityManager.connection, manager.connection, writer!, reservedWriter!])
    connection.logger = logger;
}

/** The members of a client of `pg` that its public type lacks. */
interface PooledClient {
  connection: EventEmitter;
}

/**
 * Counts the round trips to PostgreSQL on the connections of a pool, from now on: the server sends
 * one `ReadyForQuery` in each.
 * @returns a function that returns the number
 */
export function countRoundTrips({ driver }: DataSource): () => number {
  const clients = new Set<PooledClient>();
  let count = 0;
  (driver as PostgresDriver).master.on('acquire', (client: PooledClient) => {
    if (!clients.has(client)) client.connection.on('readyForQuery', () => count++);
    clients.add(client);
  });
  return () => count;
}
