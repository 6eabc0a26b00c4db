import { LOCKS } from '../../advisory-locks.js';

/**
 * The cells of the map: squares with the number of their live markers and the sums of their
 * coordinates and row numbers. A cell of level n is 2ⁿ × 10⁻⁷ degrees wide: 6.7 degrees at level
 * 26, 0.0066 degrees at level 16. `x` counts from 180° W and `y` from the South Pole. Each marker
 * is in one cell per level, so a map of any size is summed up from few rows.
 */
const LEVELS = [26, 24, 22, 20, 18, 16];

const CREATE_CELLS = `CREATE TABLE "marker_cells" (
  "level" integer NOT NULL,
  "x" integer NOT NULL,
  "y" integer NOT NULL,
  "marker_count" integer NOT NULL,
  "lat_sum" bigint NOT NULL,
  "lon_sum" bigint NOT NULL,
  "row_number_sum" bigint NOT NULL,
  PRIMARY KEY ("level", "x", "y"))`;

/** The levels, as a table `l`. */
const LEVELS_SQL = `(${LEVELS.map((level) => `SELECT ${level} AS level`).join(' UNION ALL ')}) l`;

const CELL_COLUMNS = '"level", "x", "y", "marker_count", "lat_sum", "lon_sum", "row_number_sum"';

/** The columns `level`, `x` and `y` of the cells of a row. */
function selectCell(row: string): string {
  return `l.level, (CAST(${row}.lon_e7 AS bigint) + 1800000000) >> l.level, (CAST(${row}.lat_e7 AS bigint) + 900000000) >> l.level`;
}

/** Adds a row to its cells, or subtracts it. */
function addToCells(row: string, sign: '' | '-'): string {
  return `INSERT INTO "marker_cells" (${CELL_COLUMNS})
    SELECT ${selectCell(row)}, ${sign}1, ${sign}${row}.lat_e7, ${sign}${row}.lon_e7, ${sign}${row}.row_number
    FROM ${LEVELS_SQL} WHERE ${row}.live
    ON CONFLICT ("level", "x", "y") DO UPDATE SET
      "marker_count" = "marker_cells"."marker_count" + excluded."marker_count",
      "lat_sum" = "marker_cells"."lat_sum" + excluded."lat_sum",
      "lon_sum" = "marker_cells"."lon_sum" + excluded."lon_sum",
      "row_number_sum" = "marker_cells"."row_number_sum" + excluded."row_number_sum"`;
}

/** Adds a row to its region, or subtracts it. */
function addToRegion(row: string, sign: '+' | '-'): string {
  return `UPDATE "regions" SET "marker_count" = "marker_count" ${sign} 1 WHERE "id" = ${row}.region_id AND ${row}.live`;
}

/** What each trigger maintains, and the columns whose change concerns it. */
const TRIGGERS = [
  {
    name: 'marker_cells',
    columns: ['row_number', 'live', 'lat_e7', 'lon_e7'],
    add: addToCells('NEW', ''),
    subtract: addToCells('OLD', '-'),
  },
  {
    name: 'marker_regions',
    columns: ['live', 'region_id'],
    add: addToRegion('NEW', '+'),
    subtract: addToRegion('OLD', '-'),
  },
];

type Trigger = (typeof TRIGGERS)[number];

/** Whether an update of a live marker, or of one that becomes live or deleted, changes a column. */
function buildChangeCondition(columns: string[], isDistinct: string): string {
  const isChanged = columns.map((column) => `OLD.${column} ${isDistinct} NEW.${column}`).join(' OR ');
  return `(OLD.live OR NEW.live) AND (${isChanged})`;
}

function createSqliteTriggers({ name, columns, add, subtract }: Trigger): string[] {
  const isChanged = buildChangeCondition(columns, 'IS NOT');
  return [
    `CREATE TRIGGER "${name}_insert" AFTER INSERT ON "marker_search" BEGIN ${add}; END`,
    `CREATE TRIGGER "${name}_delete" AFTER DELETE ON "marker_search" BEGIN ${subtract}; END`,
    `CREATE TRIGGER "${name}_update" AFTER UPDATE ON "marker_search" WHEN ${isChanged}
       BEGIN ${subtract}; ${add}; END`,
  ];
}

/**
 * The triggers run at the commit, one transaction after the other. So the locks on cells and
 * regions are the last ones that a transaction takes, and cannot be part of a deadlock.
 */
function createPostgresTriggers({ name, columns, add, subtract }: Trigger): string[] {
  const isChanged = buildChangeCondition(columns, 'IS DISTINCT FROM');
  const runAtCommit = `DEFERRABLE INITIALLY DEFERRED FOR EACH ROW`;
  return [
    `CREATE FUNCTION "update_${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_advisory_xact_lock(${LOCKS.markerCells});
         IF TG_OP <> 'INSERT' THEN ${subtract}; END IF;
         IF TG_OP <> 'DELETE' THEN ${add}; END IF;
         RETURN NULL;
       END $$`,
    `CREATE CONSTRAINT TRIGGER "${name}_write" AFTER INSERT OR DELETE ON "marker_search"
       ${runAtCommit} EXECUTE FUNCTION "update_${name}"()`,
    `CREATE CONSTRAINT TRIGGER "${name}_update" AFTER UPDATE ON "marker_search"
       ${runAtCommit} WHEN (${isChanged}) EXECUTE FUNCTION "update_${name}"()`,
  ];
}

export const CREATE_MARKER_CELLS = {
  sqlite: [`${CREATE_CELLS} WITHOUT ROWID`, ...TRIGGERS.flatMap(createSqliteTriggers)],
  postgres: [CREATE_CELLS, ...TRIGGERS.flatMap(createPostgresTriggers)],
};

export const DROP_MARKER_CELLS = {
  sqlite: [
    ...TRIGGERS.flatMap(({ name }) => ['insert', 'delete', 'update'].map((event) => `DROP TRIGGER "${name}_${event}"`)),
    'DROP TABLE "marker_cells"',
  ],
  postgres: [
    ...TRIGGERS.flatMap(({ name }) => [
      ...['write', 'update'].map((event) => `DROP TRIGGER "${name}_${event}" ON "marker_search"`),
      `DROP FUNCTION "update_${name}"`,
    ]),
    'DROP TABLE "marker_cells"',
  ],
};
