import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { digest, inDialectOf, maybeMoment, table } from '../table-options.js';

/** The secret of an app before its present one, while it still works. */
export class TwoSecrets1764200000000 implements MigrationInterface {
  readonly name = 'TwoSecrets1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    const { columns } = inDialectOf(runner, table('apps', [], COLUMNS));
    for (const column of columns!) await runner.addColumn('apps', new TableColumn(column));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(COLUMNS)) await runner.dropColumn('apps', name);
  }
}

const COLUMNS = {
  old_secret_digest: { ...digest, isNullable: true },
  old_secret_until: maybeMoment,
  old_secret_used_at: maybeMoment,
};
