import { describe, expect, it } from '@jest/globals';
import { summarizeQuery } from '../../src/platform/tracing/query-summary.js';

describe('summarizeQuery', () => {
  it.each([
    ['START TRANSACTION', 'START'],
    ['COMMIT', 'COMMIT'],
    ['SELECT "a"."id" AS "a_id" FROM "accounts" "a" WHERE "a"."id" = $1 LIMIT 1', 'SELECT accounts'],
    ['SELECT m.id FROM markers m LEFT JOIN "marker_artists" x ON x.id = m.id', 'SELECT markers marker_artists'],
    ['select count(*) from edits where status = ?', 'SELECT edits'],
    ['INSERT INTO "refresh_tokens"("id", "digest") VALUES ($1, $2)', 'INSERT refresh_tokens'],
    ['INSERT INTO a (id) SELECT id FROM b ON CONFLICT (id) DO UPDATE SET id = 1', 'INSERT a SELECT b'],
    ['UPDATE refresh_tokens SET used_at = $1 WHERE id = $2', 'UPDATE refresh_tokens'],
    ['WITH u AS (SELECT id FROM t), w AS (UPDATE t SET x = 1) SELECT 1 FROM u', 'SELECT t UPDATE t SELECT'],
    ['DELETE FROM "sessions" WHERE "id" IN (SELECT id FROM old)', 'DELETE sessions SELECT old'],
    ['SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', 'SELECT accounts'],
    ['SELECT id FROM accounts WHERE id = $1 FOR UPDATE SKIP LOCKED', 'SELECT accounts'],
    ['SELECT 1 FROM a WHERE x IS DISTINCT FROM y', 'SELECT a'],
    ['SELECT found.* FROM jsonb_to_recordset($1) AS input(id text) CROSS JOIN LATERAL (SELECT 1 FROM t) f', 'SELECT t'],
    [
      'WITH used AS (UPDATE t SET x = 1 RETURNING id), o(id) AS (SELECT 1) SELECT * FROM used JOIN o',
      'UPDATE t SELECT',
    ],
    ["SELECT 'a secret from secrets, it''s from more' FROM shown", 'SELECT shown'],
    ['', 'STATEMENT'],
  ])('names the operations and tables of %s', (sql, summary) => {
    expect(summarizeQuery(sql)).toBe(summary);
  });

  it('is cut off after 255 characters', () => {
    const tables = Array.from({ length: 100 }, (_, index) => `table_${index}`);
    expect(summarizeQuery(`SELECT * FROM ${tables.join(' JOIN ')}`)).toHaveLength(255);
  });
});
