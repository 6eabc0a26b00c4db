import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../table-options.js';

/** On SQLite, TypeORM would add columns by a copy of the table, which its foreign keys forbid. */
const SESSION_COLUMNS = {
  id: `varchar(40) NOT NULL DEFAULT ''`,
  amr: `text NOT NULL DEFAULT '["pwd"]'`,
  user_agent: 'varchar(300)',
  ip_address: 'varchar(45)',
  created_at: 'bigint NOT NULL DEFAULT 0',
  last_seen_at: 'bigint NOT NULL DEFAULT 0',
};

const ACCOUNT_COLUMNS = { language: 'varchar(5)', deleted_at: 'bigint' };

/**
 * Adds the browser, the network, the times and the authentication methods to sessions, and the
 * language and the deletion time to accounts. Existing sessions stay valid.
 */
export class AddSessionDetails1764620000000 implements MigrationInterface {
  readonly name = 'AddSessionDetails1764620000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(SESSION_COLUMNS))
      await runner.query(`ALTER TABLE "sessions" ADD COLUMN "${column}" ${type}`);
    for (const [column, type] of Object.entries(ACCOUNT_COLUMNS))
      await runner.query(`ALTER TABLE "accounts" ADD COLUMN "${column}" ${type}`);
    // 26 hexadecimal digits, which have the format of a ULID.
    const random = isPostgres(runner) ? `md5(random()::text || "digest")` : 'hex(randomblob(16))';
    await runner.query(
      `UPDATE "sessions" SET "id" = 'ses_' || upper(substr(${random}, 1, 26)), "created_at" = "auth_time", "last_seen_at" = "auth_time"`,
    );
    await runner.query('CREATE UNIQUE INDEX "sessions_id" ON "sessions" ("id")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "sessions_id"');
    for (const column of Object.keys(ACCOUNT_COLUMNS))
      await runner.query(`ALTER TABLE "accounts" DROP COLUMN "${column}"`);
    for (const column of Object.keys(SESSION_COLUMNS))
      await runner.query(`ALTER TABLE "sessions" DROP COLUMN "${column}"`);
  }
}
