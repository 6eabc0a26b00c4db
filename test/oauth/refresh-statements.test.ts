import { describe, expect, it } from '@jest/globals';
import type { DataSource, Logger } from 'typeorm';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const ignore = (): void => undefined;

/** The statements of timers: they read the signing keys, disabled apps and deleted accounts. */
const TIMER_STATEMENTS = /signing_keys|WHERE.*(NOT\(.*disabled_at|deleted_at" >)/s;

/** Records the statements of a connection, by their first word, without those of timers. */
function recordStatements(connection: DataSource, statements: string[]): void {
  const logger: Logger = {
    logQuery: (statement) => {
      if (!TIMER_STATEMENTS.test(statement)) statements.push(statement.trim().split(/\s/, 1)[0]!);
    },
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  connection.logger = logger;
}

describe('Refresh of a valid token', () => {
  const fixture = OAuthFixture.use({ environment: { GRANT_LIFETIME: '86400' } });

  it('runs two selects, and one transaction with an update and an insert', async () => {
    const { body } = await fixture.authorizeApp();
    const { manager, transactions } = fixture.server.get(ReservedConnections);
    const writer = await transactions.run(async (tx) => Promise.resolve(tx.connection));
    const statements: string[] = [];
    for (const connection of new Set([manager.connection, writer])) recordStatements(connection, statements);
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
    expect(statements).toEqual([
      'SELECT',
      'SELECT',
      expect.stringMatching(/^(BEGIN|START)$/),
      'WITH',
      'INSERT',
      'COMMIT',
    ]);
  });
});
