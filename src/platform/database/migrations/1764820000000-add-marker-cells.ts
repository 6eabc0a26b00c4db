import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../table-options.js';
import { CREATE_MARKER_CELLS, DROP_MARKER_CELLS } from './marker-cells/marker-cells.js';

/**
 * Adds the number of live markers of each region, and the cells of the map with the number of their
 * live markers. Triggers maintain both.
 */
export class AddMarkerCells1764820000000 implements MigrationInterface {
  readonly name = 'AddMarkerCells1764820000000';

  async up(runner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, which its foreign keys forbid.
    await runner.query('ALTER TABLE "regions" ADD COLUMN "marker_count" integer NOT NULL DEFAULT 0');
    for (const sql of CREATE_MARKER_CELLS[isPostgres(runner) ? 'postgres' : 'sqlite']) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const sql of DROP_MARKER_CELLS[isPostgres(runner) ? 'postgres' : 'sqlite']) await runner.query(sql);
    await runner.query('ALTER TABLE "regions" DROP COLUMN "marker_count"');
  }
}
