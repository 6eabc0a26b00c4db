import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';
import { inDialectOf, index, isPostgres, maybeWords, table } from '../table-options.js';

/** Where a happening came from; by what the audit is read; and that it is never changed. */
export class AuditTrail1764100000000 implements MigrationInterface {
  readonly name = 'AuditTrail1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    const { columns } = inDialectOf(runner, table(EVENTS, [], { from_address: maybeWords(45) }));
    for (const column of columns!) await runner.addColumn(EVENTS, new TableColumn(column));
    for (const options of INDICES) await runner.createIndex(EVENTS, new TableIndex(options));
    for (const sql of isPostgres(runner) ? ON_POSTGRES : ON_SQLITE) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const sql of isPostgres(runner) ? OFF_POSTGRES : OFF_SQLITE) await runner.query(sql);
    for (const { name } of INDICES) await runner.dropIndex(EVENTS, name!);
    await runner.dropColumn(EVENTS, 'from_address');
  }
}

const EVENTS = 'audit_events';

const INDICES = [
  index('audit_events_at', 'at', 'id'),
  index('audit_events_account', 'account_id', 'at', 'id'),
  index('audit_events_app', 'app_id', 'at', 'id'),
];

const REFUSED = 'the audit is never changed';
const ON_SQLITE = ['UPDATE', 'DELETE'].map(
  (change) => `CREATE TRIGGER "audit_events_${change.toLowerCase()}" BEFORE ${change} ON "${EVENTS}"
     BEGIN SELECT RAISE(ABORT, '${REFUSED}'); END`,
);
const ON_POSTGRES = [
  `CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION '${REFUSED}'; END $$`,
  `CREATE TRIGGER "audit_events_stay" BEFORE UPDATE OR DELETE ON "${EVENTS}"
     FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"()`,
];
const OFF_SQLITE = ['update', 'delete'].map((change) => `DROP TRIGGER "audit_events_${change}"`);
const OFF_POSTGRES = [`DROP TRIGGER "audit_events_stay" ON "${EVENTS}"`, `DROP FUNCTION "refuse_audit_change"`];
