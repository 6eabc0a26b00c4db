import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `UPDATE "edits" SET "status" = 'obsolete', "decided_at" = "updated_at" WHERE "status" = 'open' AND "target_id" IN (
     SELECT "id" FROM "markers" WHERE "deleted_at" IS NOT NULL
     UNION SELECT "id" FROM "artists" WHERE "deleted_at" IS NOT NULL)`,
  'UPDATE "markers" SET "open_edit_count" = 0 WHERE "deleted_at" IS NOT NULL AND "open_edit_count" <> 0',
];

const DOWN = [
  `UPDATE "markers" SET "open_edit_count" = (
     SELECT count(*) FROM "edits" WHERE "target_id" = "markers"."id" AND "status" = 'obsolete')
   WHERE "deleted_at" IS NOT NULL`,
  `UPDATE "edits" SET "status" = 'open', "decided_at" = NULL WHERE "status" = 'obsolete'`,
];

/** Closes the open edits of artworks and artists that were deleted before. */
export class CloseEditsOfDeletedTargets1764790000000 implements MigrationInterface {
  readonly name = 'CloseEditsOfDeletedTargets1764790000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
