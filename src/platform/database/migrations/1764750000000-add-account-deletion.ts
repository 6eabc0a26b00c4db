import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { digest, index, isPostgres, normalizeColumnTypes, table, timestampMs } from '../table-options.js';
import {
  CREATE_AUDIT_TRIGGERS,
  CREATE_PREVIOUS_AUDIT_TRIGGERS,
  DROP_AUDIT_TRIGGERS,
} from './account-deletion/audit-triggers.js';

const RESERVED_LOGINS = table(
  'reserved_logins',
  ['digest'],
  { digest, expires_at: timestampMs },
  { indices: [index('reserved_logins_expires', 'expires_at')] },
);

/** Indexes that find deleted accounts, and the data of one person for an export. */
const INDEXES = {
  accounts_deleted: '"accounts" ("deleted_at")',
  edits_decided_by: '"edits" ("decided_by_id")',
  entity_versions_author: '"entity_versions" ("author_id")',
};

/** Events that only commands caused before this migration. */
const OPERATOR_EVENTS = `'account.blocked', 'account.unblocked', 'tokens.issued'`;

/**
 * Adds reserved logins, the indexes for deletion and export, and to audit events whether the
 * operator caused them. From now on, the events of a deleted account can lose their details and IP
 * addresses.
 */
export class AddAccountDeletion1764750000000 implements MigrationInterface {
  readonly name = 'AddAccountDeletion1764750000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = isPostgres(runner) ? 'postgres' : 'sqlite';
    await runner.createTable(new Table(normalizeColumnTypes(runner, RESERVED_LOGINS)));
    for (const [name, columns] of Object.entries(INDEXES)) await runner.query(`CREATE INDEX "${name}" ON ${columns}`);
    for (const statement of DROP_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
    const no = isPostgres(runner) ? 'false' : '(0)';
    await runner.query(`ALTER TABLE "audit_events" ADD COLUMN "by_operator" boolean NOT NULL DEFAULT ${no}`);
    await runner.query(
      `UPDATE "audit_events" SET "by_operator" = true WHERE "ip_address" IS NULL AND "type" IN (${OPERATOR_EVENTS})`,
    );
    for (const statement of CREATE_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const dialect = isPostgres(runner) ? 'postgres' : 'sqlite';
    for (const statement of DROP_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
    await runner.query('ALTER TABLE "audit_events" DROP COLUMN "by_operator"');
    for (const statement of CREATE_PREVIOUS_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX "${name}"`);
    await runner.dropTable('reserved_logins');
  }
}
