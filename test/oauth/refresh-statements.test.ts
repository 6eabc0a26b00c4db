import { describe, expect, it } from '@jest/globals';
import type { DataSource, Logger } from 'typeorm';
import { RefreshTokensStore } from '../../src/identity/oauth/refresh-tokens.store.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { isPostgres } from '../support/database.js';
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

// The statements are checked exactly, because each further round trip to the database slows every
// refresh. A change that needs another statement is measured with `bench/` first.
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

  if (isPostgres) {
    it('reads only its own rows of a large table without statistics', async () => {
      const digest = computeDigest((await fixture.issueTokens()).refresh_token);
      const store = fixture.server.get(RefreshTokensStore);
      const [token] = await store.findMany([digest]);
      await fixture.server.entityManager.query(
        `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
         SELECT sha256(number::text::bytea), $1, $2::bigint, $3::bigint - number
         FROM generate_series(1, 20000) AS number`,
        [token!.authorizationId, token!.issuedAt.getTime(), token!.expiresAt.getTime()],
      );
      await fixture.server.get(ReservedConnections).transactions.run(async (tx) => {
        const marked = await store.markUsed(
          tx,
          [{ token: token!, successorDigest: computeDigest('next') }],
          Date.now(),
        );
        expect(marked.size).toBe(1);
        const [read] = await tx.query<{ rows: string }[]>(
          `SELECT sum(seq_tup_read + idx_tup_fetch) AS rows FROM pg_stat_xact_user_tables
           WHERE relname LIKE 'refresh_tokens%'`,
        );
        expect(Number(read!.rows)).toBeLessThan(10);
      });
    });
  }
});
