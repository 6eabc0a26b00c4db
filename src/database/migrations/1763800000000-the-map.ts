import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import {
  id,
  inDialectOf,
  integer,
  isPostgres,
  maybeId,
  moment,
  references,
  table,
  text,
  words,
} from '../table-options.js';

/** History, what edits need of their targets, imports that can be resumed, and the search index. */
export class TheMap1763800000000 implements MigrationInterface {
  readonly name = 'TheMap1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    const postgres = isPostgres(runner);
    for (const [name, column, type] of COLUMNS)
      await runner.query(`ALTER TABLE "${name}" ADD COLUMN "${column}" ${type}`);
    for (const options of TABLES) await runner.createTable(new Table(inDialectOf(runner, options)));
    for (const statement of EVERYWHERE) await runner.query(statement);
    for (const statement of postgres ? ON_POSTGRES : ON_SQLITE) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const postgres = isPostgres(runner);
    for (const statement of postgres ? OFF_POSTGRES : OFF_SQLITE) await runner.query(statement);
    for (const statement of OFF_EVERYWHERE) await runner.query(statement);
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
    for (const [name, column] of COLUMNS) await runner.query(`ALTER TABLE "${name}" DROP COLUMN "${column}"`);
  }
}

/** Columns of tables that are there already; what is counted begins with what there is. */
const COLUMNS: [table: string, column: string, type: string][] = [
  ['markers', 'locked_at', 'bigint'],
  ['markers', 'open_edit_count', 'integer NOT NULL DEFAULT (0)'],
  ['artists', 'locked_at', 'bigint'],
  ['artists', 'artwork_count', 'integer NOT NULL DEFAULT (0)'],
  ['artists', 'words', 'text'],
  ['edits', 'to_region_id', 'varchar(40)'],
  ['edits', 'lat_e7', 'integer'],
  ['edits', 'lon_e7', 'integer'],
  ['edits', 'updated_at', 'bigint NOT NULL DEFAULT (0)'],
];

const TABLES: TableOptions[] = [
  table(
    'entity_versions',
    ['target_id', 'version'],
    {
      target_id: id,
      version: integer,
      action: words(10),
      snapshot: text,
      changes: text,
      edit_id: maybeId,
      author_id: maybeId,
      at: moment,
    },
    { foreignKeys: [references('entity_versions_author_fk', 'author_id', 'accounts')] },
  ),
  table('imports', ['digest'], {
    digest: words(64),
    done: integer,
    imported: integer,
    started_at: moment,
    updated_at: moment,
  }),
];

const EVERYWHERE = [
  `CREATE INDEX "edits_queue" ON "edits" ("status", "created_at", "id")`,
  `UPDATE "edits" SET "updated_at" = coalesce("decided_at", "created_at")`,
  `UPDATE "edits" SET "lat_e7" = (SELECT "lat_e7" FROM "markers" WHERE "id" = "target_id"),
     "lon_e7" = (SELECT "lon_e7" FROM "markers" WHERE "id" = "target_id")`,
  `UPDATE "markers" SET "open_edit_count" =
     (SELECT count(*) FROM "edits" WHERE "edits"."target_id" = "markers"."id" AND "edits"."status" = 'open')`,
  `UPDATE "artists" SET "artwork_count" =
     (SELECT count(*) FROM "marker_artists" JOIN "markers" ON "markers"."id" = "marker_id"
       WHERE "artist_id" = "artists"."id" AND "deleted_at" IS NULL)`,
];

/**
 * The search index: a narrow row for each marker, numbered in the order in which markers came onto the map, and beside
 * it what leads to the rows by place, by word and by tag or artist. Deleted markers keep their row, and nothing leads
 * to it.
 */
const SEARCH_ROWS = (seq: string): string => `CREATE TABLE "marker_search" (
  "seq" ${seq} PRIMARY KEY,
  "marker_id" varchar(40) NOT NULL UNIQUE REFERENCES "markers" ("id"),
  "live" boolean NOT NULL,
  "lat_e7" integer NOT NULL,
  "lon_e7" integer NOT NULL,
  "kind" varchar(20) NOT NULL,
  "status" varchar(20) NOT NULL,
  "place_type" varchar(40),
  "region_id" varchar(40),
  "medium_bits" integer NOT NULL,
  "year" integer,
  "updated_at" bigint NOT NULL`;

const FACETS = `CREATE TABLE "marker_facets" ("facet" text NOT NULL, "seq" integer NOT NULL, PRIMARY KEY ("facet", "seq"))`;
const SEARCH_INDICES = [
  `CREATE INDEX "marker_search_updated" ON "marker_search" ("updated_at", "seq")`,
  `CREATE INDEX "marker_facets_seq" ON "marker_facets" ("seq")`,
];

const ON_SQLITE = [
  `${SEARCH_ROWS('integer')})`,
  `${FACETS} WITHOUT ROWID`,
  ...SEARCH_INDICES,
  `CREATE VIRTUAL TABLE "marker_places" USING rtree_i32(seq, west, east, south, north)`,
  // The words are folded and put apart already: every character but a space belongs to one. So does the bar between two
  // texts, that no phrase goes across it.
  `CREATE VIRTUAL TABLE "marker_words" USING fts5(words, tokenize = "ascii tokenchars '|'", prefix = '2 3')`,
  `CREATE TRIGGER "entity_versions_stay" BEFORE UPDATE ON "entity_versions"
     BEGIN SELECT RAISE(ABORT, 'history is never changed'); END`,
  `CREATE TRIGGER "entity_versions_remain" BEFORE DELETE ON "entity_versions"
     BEGIN SELECT RAISE(ABORT, 'history is never changed'); END`,
];

const ON_POSTGRES = [
  `${SEARCH_ROWS('integer GENERATED BY DEFAULT AS IDENTITY')}, "words" text NOT NULL, "lexemes" tsvector NOT NULL,
     "place" point NOT NULL GENERATED ALWAYS AS (point("lon_e7", "lat_e7")) STORED)`,
  FACETS,
  ...SEARCH_INDICES,
  // What lies in a box is counted and numbered from the index alone.
  `CREATE INDEX "marker_search_place" ON "marker_search" USING gist ("place") INCLUDE ("seq") WHERE "live"`,
  `CREATE INDEX "marker_search_lexemes" ON "marker_search" USING gin ("lexemes") WHERE "live"`,
  `CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'history is never changed'; END $$`,
  `CREATE TRIGGER "entity_versions_stay" BEFORE UPDATE OR DELETE ON "entity_versions"
     FOR EACH ROW EXECUTE FUNCTION "refuse_change"()`,
  // Sorted by bytes, as SQLite sorts, whatever the language of the database.
  `ALTER TABLE "artists" ALTER COLUMN "name_key" TYPE varchar(240) COLLATE "C"`,
];

const OFF_SQLITE = [
  `DROP TRIGGER "entity_versions_stay"`,
  `DROP TRIGGER "entity_versions_remain"`,
  `DROP TABLE "marker_words"`,
  `DROP TABLE "marker_places"`,
];
const OFF_POSTGRES = [
  `ALTER TABLE "artists" ALTER COLUMN "name_key" TYPE varchar(240) COLLATE "default"`,
  `DROP TRIGGER "entity_versions_stay" ON "entity_versions"`,
  `DROP FUNCTION "refuse_change"`,
];
const OFF_EVERYWHERE = [`DROP TABLE "marker_facets"`, `DROP TABLE "marker_search"`, `DROP INDEX "edits_queue"`];
