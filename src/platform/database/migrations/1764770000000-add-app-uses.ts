import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Adds the last use of each app by each person, and the browser of each sign-in of an app. */
export class AddAppUses1764770000000 implements MigrationInterface {
  readonly name = 'AddAppUses1764770000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'app_uses',
        columns: [
          { name: 'account_id', type: 'varchar', length: '40', isPrimary: true },
          { name: 'app_id', type: 'varchar', length: '40', isPrimary: true },
          { name: 'last_used_on', type: 'varchar', length: '10' },
        ],
      }),
    );
    // TypeORM would copy the tables on SQLite, which their foreign keys forbid.
    await runner.query('ALTER TABLE "authorizations" ADD COLUMN "browser" varchar(100)');
    await runner.query('ALTER TABLE "authorization_codes" ADD COLUMN "browser" varchar(100)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "authorization_codes" DROP COLUMN "browser"');
    await runner.query('ALTER TABLE "authorizations" DROP COLUMN "browser"');
    await runner.dropTable('app_uses');
  }
}
