/**
 * The response of each marker as JSON text. Its key is a number, which is faster to read than the
 * text that `markers` has. `format` is 0 while `body` is not valid.
 */
const CREATE_TABLE = [
  `CREATE TABLE "marker_responses" (
    "row_number" integer PRIMARY KEY REFERENCES "marker_search" ("row_number") ON UPDATE CASCADE ON DELETE CASCADE,
    "format" integer NOT NULL DEFAULT 0,
    "version" integer NOT NULL DEFAULT 0,
    "body" text)`,
  'CREATE INDEX "marker_responses_format" ON "marker_responses" ("format", "row_number")',
];

/** A trigger after a change of a row, with one statement. */
interface ChangeTrigger {
  name: string;
  event: string;
  table: string;
  /** Condition on `OLD` and `NEW`. */
  when: string;
  statement: string;
}

/** Returns the statement that marks the responses of a condition as not valid. */
const invalidate = (condition: string): string => `UPDATE "marker_responses" SET "format" = 0 WHERE ${condition}`;

const ofMarker = (id: string): string =>
  `"row_number" = (SELECT "row_number" FROM "marker_search" WHERE "marker_id" = ${id})`;

const hasChanged = (...columns: string[]): string =>
  columns.map((column) => `OLD."${column}" IS DISTINCT FROM NEW."${column}"`).join(' OR ');

/**
 * A response is not valid after a change of a row that it shows. So no writer can leave an outdated
 * response, not even an older version of the service or a statement of an operator.
 */
const TRIGGERS: ChangeTrigger[] = [
  {
    name: 'marker_responses_insert',
    event: 'INSERT',
    table: 'marker_search',
    when: 'true',
    statement: 'INSERT INTO "marker_responses" ("row_number") VALUES (NEW."row_number")',
  },
  {
    name: 'marker_responses_marker',
    event: 'UPDATE',
    table: 'markers',
    when: 'true',
    statement: invalidate(ofMarker('NEW."id"')),
  },
  {
    name: 'marker_responses_artist_added',
    event: 'INSERT',
    table: 'marker_artists',
    when: 'true',
    statement: invalidate(ofMarker('NEW."marker_id"')),
  },
  {
    name: 'marker_responses_artist_removed',
    event: 'DELETE',
    table: 'marker_artists',
    when: 'true',
    statement: invalidate(ofMarker('OLD."marker_id"')),
  },
  {
    name: 'marker_responses_artist',
    event: 'UPDATE',
    table: 'artists',
    when: hasChanged('name', 'name_sort_key', 'deleted_at'),
    statement: invalidate(`"row_number" IN (SELECT s."row_number" FROM "marker_artists" l
      JOIN "marker_search" s ON s."marker_id" = l."marker_id" WHERE l."artist_id" = NEW."id")`),
  },
  {
    name: 'marker_responses_region',
    event: 'UPDATE',
    table: 'regions',
    when: hasChanged('name'),
    statement: invalidate('"row_number" IN (SELECT "row_number" FROM "marker_search" WHERE "region_id" = NEW."id")'),
  },
];

const createSqliteTrigger = ({ name, event, table, when, statement }: ChangeTrigger): string[] => [
  `CREATE TRIGGER "${name}" AFTER ${event} ON "${table}" WHEN ${when} BEGIN ${statement}; END`,
];

const createPostgresTrigger = ({ name, event, table, when, statement }: ChangeTrigger): string[] => [
  `CREATE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$`,
  `CREATE TRIGGER "${name}" AFTER ${event} ON "${table}" FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION "${name}"()`,
];

export const CREATE_MARKER_RESPONSES = {
  sqlite: [...CREATE_TABLE, ...TRIGGERS.flatMap(createSqliteTrigger)],
  postgres: [...CREATE_TABLE, ...TRIGGERS.flatMap(createPostgresTrigger)],
};

const DROP_TABLE = 'DROP TABLE "marker_responses"';

export const DROP_MARKER_RESPONSES = {
  sqlite: [...TRIGGERS.map(({ name }) => `DROP TRIGGER "${name}"`), DROP_TABLE],
  postgres: [
    ...TRIGGERS.flatMap(({ name, table }) => [`DROP TRIGGER "${name}" ON "${table}"`, `DROP FUNCTION "${name}"`]),
    DROP_TABLE,
  ],
};
