import { describe, expect, it } from '@jest/globals';
import { RefreshTokensStore } from '../../src/identity/oauth/refresh-tokens.store.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { isPostgres } from '../support/database.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { countRoundTrips, recordStatements } from '../support/record-statements.js';

/** The statement of the timer. */
const POLL_STATEMENT = /^SELECT \(SELECT CAST\(json/;

// The statements are checked exactly, because each further round trip to the database slows every
// refresh. A change that needs another statement is measured with `bench/` first.
describe('Refresh of a valid token', () => {
  const fixture = OAuthFixture.use({ environment: { GRANT_LIFETIME: '86400' } });

  it('runs two selects, and one transaction that replaces the token', async () => {
    const { body } = await fixture.authorizeApp();
    const statements: string[] = [];
    await recordStatements(fixture.server, (statement) => {
      if (!POLL_STATEMENT.test(statement)) statements.push(statement.trim().split(/\s/, 1)[0]!);
    });
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
    expect(statements).toEqual([
      'SELECT',
      'SELECT',
      expect.stringMatching(/^(BEGIN|START)$/),
      'WITH',
      ...(isPostgres ? [] : ['INSERT']),
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
        const marked = await store.rotateMany(
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

if (isPostgres) {
  describe('A connection for refreshes', () => {
    const fixture = OAuthFixture.use({ environment: { DATABASE_POOL: '3' } }); // one of them for refreshes

    it('needs four round trips for a refresh', async () => {
      let token = (await fixture.issueTokens()).refresh_token;
      const refresh = async (): Promise<void> => {
        const response = await fixture.refreshTokens(token);
        expect(response.status).toBe(200);
        token = response.body.refresh_token as string;
      };
      await refresh(); // prepares the statements
      const roundTrips = countRoundTrips(fixture.server.get(ReservedConnections).pool!);
      await refresh();
      expect(roundTrips()).toBe(4);
    });

    it('plans each statement for its values five times, and then keeps one plan', async () => {
      const digest = computeDigest((await fixture.issueTokens()).refresh_token);
      const store = fixture.server.get(RefreshTokensStore);
      await fixture.server.get(ReservedConnections).transactions.run(async (tx) => {
        for (let execution = 1; execution <= 7; execution++) {
          const [token] = await store.findMany([digest], tx);
          await store.rotateMany(tx, [{ token: token!, successorDigest: computeDigest('next') }], Date.now());
        }
        const prepared = await tx.query<{ custom_plans: string }[]>(
          `SELECT custom_plans FROM pg_prepared_statements
           WHERE statement LIKE '%refresh_tokens%' AND custom_plans + generic_plans >= 7`,
        );
        expect(prepared).toEqual([{ custom_plans: '5' }, { custom_plans: '5' }]);
      });
    });

    it('finds an authorization by its key in a small table with statistics', async () => {
      const digest = computeDigest((await fixture.issueTokens()).refresh_token);
      const store = fixture.server.get(RefreshTokensStore);
      const [token] = await store.findMany([digest]);
      await fixture.server.entityManager.query(
        `INSERT INTO authorizations (id, account_id, app_id, scopes, auth_time, created_at)
         SELECT 'aut_' || lpad(number::text, 26, '0'), account_id, app_id, scopes, auth_time, created_at
         FROM authorizations, generate_series(1, 200) AS number WHERE id = $1`,
        [token!.authorizationId],
      );
      await fixture.server.entityManager.query('ANALYZE authorizations');
      await fixture.server.get(ReservedConnections).transactions.run(async (tx) => {
        const count = async (): Promise<number> => {
          const [read] = await tx.query<{ rows: string }[]>(
            `SELECT seq_tup_read AS rows FROM pg_stat_xact_user_tables WHERE relname = 'authorizations'`,
          );
          return Number(read!.rows);
        };
        const before = await count();
        await store.findMany([digest], tx);
        await store.rotateMany(tx, [{ token: token!, successorDigest: computeDigest('next') }], Date.now());
        expect((await count()) - before).toBe(0);
      });
    });
  });
}
