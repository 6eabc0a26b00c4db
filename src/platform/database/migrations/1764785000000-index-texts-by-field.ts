import type { MigrationInterface, QueryRunner } from 'typeorm';

const SHARED = [
  `ALTER TABLE "marker_search" ADD COLUMN "text_format" integer NOT NULL DEFAULT 0`,
  'CREATE INDEX "marker_search_outdated" ON "marker_search" ("seq") WHERE "text_format" = 0',
  'CREATE INDEX "marker_search_title" ON "marker_search" ("title_key", "seq")',
];

const UP = {
  sqlite: [
    `ALTER TABLE "marker_search" ADD COLUMN "title_key" varchar(200) NOT NULL DEFAULT ''`,
    'DROP TABLE "marker_fts"',
    `CREATE VIRTUAL TABLE "marker_fts" USING fts5(title, artists, tags, address, description,
       tokenize = "ascii tokenchars '|'", prefix = '1 2 3')`,
    'CREATE TABLE "marker_words" ("word" text PRIMARY KEY) WITHOUT ROWID',
    ...SHARED,
  ],
  postgres: [
    `ALTER TABLE "marker_search" ADD COLUMN "title_key" varchar(200) COLLATE "C" NOT NULL DEFAULT ''`,
    `ALTER TABLE "marker_search" ADD COLUMN "search_texts" text[] NOT NULL DEFAULT '{}'`,
    'ALTER TABLE "marker_search" DROP COLUMN "search_text"',
    'CREATE TABLE "marker_words" ("word" text COLLATE "C" PRIMARY KEY)',
    ...SHARED,
  ],
};

const SHARED_DOWN = [
  'DROP TABLE "marker_words"',
  'DROP INDEX "marker_search_outdated"',
  'DROP INDEX "marker_search_title"',
  'ALTER TABLE "marker_search" DROP COLUMN "text_format"',
  'ALTER TABLE "marker_search" DROP COLUMN "title_key"',
];

const DOWN = {
  sqlite: [
    'DROP TABLE "marker_fts"',
    `CREATE VIRTUAL TABLE "marker_fts" USING fts5(search_text, tokenize = "ascii tokenchars '|'", prefix = '2 3')`,
    ...SHARED_DOWN,
  ],
  postgres: [
    'ALTER TABLE "marker_search" DROP COLUMN "search_texts"',
    `ALTER TABLE "marker_search" ADD COLUMN "search_text" text NOT NULL DEFAULT ''`,
    ...SHARED_DOWN,
  ],
};

/**
 * Indexes the texts of a marker by field, so that a search can rank its results. The service writes
 * the texts of existing markers again at its next start.
 */
export class IndexTextsByField1764785000000 implements MigrationInterface {
  readonly name = 'IndexTextsByField1764785000000';

  async up(runner: QueryRunner): Promise<void> {
    await runStatements(runner, UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runStatements(runner, DOWN);
  }
}

async function runStatements(runner: QueryRunner, statements: typeof UP): Promise<void> {
  const isPostgres = runner.connection.options.type === 'postgres';
  for (const statement of statements[isPostgres ? 'postgres' : 'sqlite']) await runner.query(statement);
}
