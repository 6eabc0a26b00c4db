import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = {
  privacy_policy: () => 'varchar(500)',
  terms_of_service: () => 'varchar(500)',
  icon: () => 'varchar(60)',
  is_first_party: (isFalse: string) => `boolean NOT NULL DEFAULT ${isFalse}`,
};

/** Adds the icon, the legal links and the first-party mark to apps. */
export class AddAppDetails1764760000000 implements MigrationInterface {
  readonly name = 'AddAppDetails1764760000000';

  async up(runner: QueryRunner): Promise<void> {
    const isFalse = runner.connection.options.type === 'postgres' ? 'false' : '0';
    for (const [column, getType] of Object.entries(COLUMNS)) {
      // TypeORM would copy the table on SQLite, which its foreign keys forbid.
      await runner.query(`ALTER TABLE "apps" ADD COLUMN "${column}" ${getType(isFalse)}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of Object.keys(COLUMNS)) await runner.query(`ALTER TABLE "apps" DROP COLUMN "${column}"`);
  }
}
