import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { index } from '../table-options.js';

const INDEXES = [index('apps_name_skeleton', 'name_skeleton'), index('apps_disabled', 'disabled_at')];

/**
 * Adds the skeletons of app names, which the service fills at its next start, and an index for the
 * disabled apps.
 */
export class AddAppNameSkeleton1764610000000 implements MigrationInterface {
  readonly name = 'AddAppNameSkeleton1764610000000';

  async up(runner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, which its foreign keys forbid.
    await runner.query(`ALTER TABLE "apps" ADD COLUMN "name_skeleton" varchar(255) NOT NULL DEFAULT ''`);
    for (const options of INDEXES) await runner.createIndex('apps', new TableIndex(options));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.dropIndex('apps', name!);
    await runner.query('ALTER TABLE "apps" DROP COLUMN "name_skeleton"');
  }
}
