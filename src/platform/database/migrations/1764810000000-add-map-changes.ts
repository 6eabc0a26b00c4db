import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { id, integer, normalizeColumnTypes, table, timestampMs, uniqueIndex, varchar } from '../table-options.js';

const bigint = timestampMs;

const TABLES = [
  table('map_changes', ['type', 'entity_id'], { type: varchar(10), entity_id: id, seq: bigint }),
  table('map_change_counter', ['id'], { id: integer, last: bigint }),
  table(
    'map_change_epochs',
    ['number'],
    { number: integer, id: varchar(16), start_seq: bigint },
    { indices: [uniqueIndex('map_change_epochs_id', 'id')] },
  ),
];

/** Numbers the existing markers in the order of creation, then the existing artists. */
const NUMBER_EXISTING_ROWS = [
  `INSERT INTO map_changes (type, entity_id, seq)
    SELECT 'marker', m.id, row_number() OVER (ORDER BY s.seq IS NULL, s.seq, m.id)
    FROM markers m LEFT JOIN marker_search s ON s.marker_id = m.id`,
  `INSERT INTO map_changes (type, entity_id, seq)
    SELECT 'artist', id, (SELECT count(*) FROM map_changes) + row_number() OVER (ORDER BY created_at, id)
    FROM artists`,
  'INSERT INTO map_change_counter (id, last) SELECT 1, count(*) FROM map_changes',
];

/** Adds the feeds of changes, and numbers the markers and artists that exist. */
export class AddMapChanges1764810000000 implements MigrationInterface {
  readonly name = 'AddMapChanges1764810000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const options of TABLES) await runner.createTable(new Table(normalizeColumnTypes(runner, options)));
    for (const sql of NUMBER_EXISTING_ROWS) await runner.query(sql);
    // Filling the table first is faster.
    await runner.query('CREATE UNIQUE INDEX "map_changes_seq" ON "map_changes" ("type", "seq")');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.dropTable(name);
  }
}
