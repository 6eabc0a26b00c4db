import { describe, expect, it } from '@jest/globals';
import { createDatabase, isPostgres } from '../support/database.js';
import { findBlockingStatements } from '../support/migration-rules.js';
import { defineMigration, defineMigrationWithoutTransaction, recordMigrations } from '../support/test-migration.js';

/**
 * Names of migrations that remove columns or tables that no version in use reads or writes (step 3
 * of expand and contract).
 */
const CONTRACTIONS: string[] = [];

/** Returns the problems of the migrations, by their names. */
async function checkMigrations(...additional: Parameters<typeof recordMigrations>[1]): Promise<object> {
  const database = await createDatabase();
  const recorded = await recordMigrations(database.url, additional).finally(() => database.drop());
  const problems = [...recorded].map(([name, statements]) => [
    name,
    findBlockingStatements(statements).filter((text) => !(isContraction(text) && CONTRACTIONS.includes(name))),
  ]);
  return Object.fromEntries(problems.filter(([, texts]) => texts!.length > 0)) as object;
}

const isContraction = (text: string): boolean => text.endsWith('remove only in a contraction');

describe('The rules of online migrations', () => {
  it.each([
    'CREATE UNIQUE INDEX "a_b" ON "a" ("b")',
    'DROP INDEX "public"."a_b"',
    'LOCK TABLE a IN SHARE MODE',
    'UPDATE "a" SET "b" = 1',
    'ALTER TABLE "a" ALTER COLUMN "b" TYPE bigint',
    'ALTER TABLE "a" ADD "b" timestamptz DEFAULT clock_timestamp()',
    'ALTER TABLE "a" ADD "b" bigint GENERATED ALWAYS AS (c * 2) STORED',
    'ALTER TABLE "a" ADD "b" integer NOT NULL',
    'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL',
    'ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 0)',
    'ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d" ("id")',
    'ALTER TABLE "a" ADD CONSTRAINT "c" UNIQUE ("b")',
    'ALTER TABLE "a" DROP COLUMN "b"',
    'ALTER TABLE "a" RENAME COLUMN "b" TO "c"',
    'DROP TABLE "a"',
  ])('reject %s', (sql) => {
    expect(findBlockingStatements([sql])).toEqual([expect.stringContaining(': ')]);
  });

  it.each([
    'CREATE INDEX CONCURRENTLY "a_b" ON "a" ("b")',
    'DROP INDEX CONCURRENTLY "a_b"',
    `ALTER TABLE "a" ADD COLUMN "b" text NOT NULL DEFAULT '[]'`,
    'ALTER TABLE "a" ADD "b" text',
    'ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b IS NOT NULL) NOT VALID',
    'ALTER TABLE "a" ADD CONSTRAINT "c" UNIQUE USING INDEX "a_b"',
    'ALTER TABLE "a" DROP CONSTRAINT "c"',
  ])('accept %s', (sql) => {
    expect(findBlockingStatements([sql])).toEqual([]);
  });

  it('accept NOT NULL after the validation of a constraint', () => {
    const validate = 'ALTER TABLE "a" VALIDATE CONSTRAINT "c"';
    expect(findBlockingStatements([validate, 'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL'])).toEqual([]);
  });

  it('accept everything on a table that the same migration creates', () => {
    expect(findBlockingStatements(['CREATE TABLE "a" ("b" integer)', 'CREATE INDEX "a_b" ON "a" ("b")'])).toEqual([]);
  });

  it('reject a migration that changes two tables', () => {
    const statements = ['ALTER TABLE "a" ADD "b" text', 'ALTER TABLE "c" ADD "d" text'];
    expect(findBlockingStatements(statements)).toEqual([expect.stringMatching(/^a, c: change one table/)]);
  });

  if (isPostgres) {
    it('are kept by the migrations of this version', async () => {
      expect(await checkMigrations()).toEqual({});
    });

    it('apply to the statements that a migration executes', async () => {
      const blocking = defineMigration('IndexNames4000000000001', (runner) =>
        runner.query('CREATE INDEX artists_test ON artists (name)'),
      );
      const online = defineMigrationWithoutTransaction('IndexNamesOnline4000000000002', (runner) =>
        runner.query('CREATE INDEX CONCURRENTLY artists_test_2 ON artists (name)'),
      );
      expect(await checkMigrations(blocking, online)).toEqual({
        IndexNames4000000000001: ['CREATE INDEX artists_test ON artists (name): use CONCURRENTLY'],
      });
    });
  }
});
