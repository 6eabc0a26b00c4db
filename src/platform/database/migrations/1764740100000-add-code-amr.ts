import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the authentication methods of the session to authorization codes. */
export class AddCodeAmr1764740100000 implements MigrationInterface {
  readonly name = 'AddCodeAmr1764740100000';

  async up(runner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, which its foreign keys forbid.
    await runner.query(`ALTER TABLE "authorization_codes" ADD COLUMN "amr" text NOT NULL DEFAULT '["pwd"]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "authorization_codes" DROP COLUMN "amr"');
  }
}
