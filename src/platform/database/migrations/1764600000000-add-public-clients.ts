import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the client type to apps (RFC 6749 §2.1). */
export class AddPublicClients1764600000000 implements MigrationInterface {
  readonly name = 'AddPublicClients1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, which its foreign keys forbid.
    await runner.query(`ALTER TABLE "apps" ADD COLUMN "client_type" varchar(12) NOT NULL DEFAULT 'confidential'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "apps" DROP COLUMN "client_type"');
  }
}
