import type { MigrationInterface, QueryRunner, TableOptions } from 'typeorm';
import {
  boolean,
  id,
  index,
  isPostgres,
  nullable,
  table,
  text,
  timestampMs,
  varchar,
  withDefault,
} from '../table-options.js';
import { buildAuditTriggers, CREATE_AUDIT_TRIGGERS, DROP_AUDIT_TRIGGERS } from './account-deletion/audit-triggers.js';
import { replacePostgresTable, replaceTable } from './partitions/replace-table.js';

/**
 * One row: the events before `keep_since` are older than `AUDIT_RETENTION` and can be deleted. It
 * is 0 without a retention.
 */
const CREATE_RETENTION = [
  'CREATE TABLE "audit_retention" ("keep_since" bigint NOT NULL)',
  'INSERT INTO "audit_retention" ("keep_since") VALUES (0)',
];

const CREATE_TRIGGERS = buildAuditTriggers('OLD."occurred_at" < (SELECT "keep_since" FROM "audit_retention")');

const INDEXES: Record<string, string[]> = {
  audit_events_occurred_at: ['occurred_at', 'id'],
  audit_events_account: ['account_id', 'occurred_at', 'id'],
  audit_events_app: ['app_id', 'occurred_at', 'id'],
};

const COLUMNS = [
  'id',
  'occurred_at',
  'type',
  'account_id',
  'app_id',
  'authorization_id',
  'detail',
  'ip_address',
  'by_operator',
];

const POSTGRES_COLUMNS = `
  "id" varchar(40) NOT NULL,
  "occurred_at" bigint NOT NULL,
  "type" varchar(40) NOT NULL,
  "account_id" varchar(40),
  "app_id" varchar(40),
  "authorization_id" varchar(40),
  "detail" text,
  "ip_address" varchar(45),
  "by_operator" boolean NOT NULL DEFAULT false`;

const CREATE_POSTGRES_INDEXES = Object.entries(INDEXES).map(
  ([name, columns]) => `CREATE INDEX "${name}" ON "audit_events" (${columns.join(', ')})`,
);

const PARTITIONED = [
  `CREATE TABLE "audit_events" (${POSTGRES_COLUMNS},
    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id", "occurred_at")) PARTITION BY RANGE ("occurred_at")`,
  ...CREATE_POSTGRES_INDEXES,
  'CREATE TABLE "audit_events_default" PARTITION OF "audit_events" DEFAULT',
];

const SINGLE = [`CREATE TABLE "audit_events" (${POSTGRES_COLUMNS}, PRIMARY KEY ("id"))`, ...CREATE_POSTGRES_INDEXES];

/**
 * Lets audit events be deleted that are older than the retention. PostgreSQL partitions the table
 * by time.
 */
export class PartitionAuditEvents1764900100000 implements MigrationInterface {
  readonly name = 'PartitionAuditEvents1764900100000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = isPostgres(runner) ? 'postgres' : 'sqlite';
    for (const statement of [...DROP_AUDIT_TRIGGERS[dialect], ...CREATE_RETENTION]) await runner.query(statement);
    await replace(runner, ['id', 'occurred_at'], { create: PARTITIONED, partitionedBy: 'occurred_at' });
    for (const statement of CREATE_TRIGGERS[dialect]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const dialect = isPostgres(runner) ? 'postgres' : 'sqlite';
    for (const statement of DROP_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
    await replace(runner, ['id'], { create: SINGLE });
    for (const statement of CREATE_AUDIT_TRIGGERS[dialect]) await runner.query(statement);
    await runner.query('DROP TABLE "audit_retention"');
  }
}

async function replace(
  runner: QueryRunner,
  primary: string[],
  postgres: { create: string[]; partitionedBy?: string },
): Promise<void> {
  const columns = Object.fromEntries(COLUMNS.map((column) => [column, column]));
  return isPostgres(runner)
    ? replacePostgresTable(runner, 'audit_events', { ...postgres, indexes: Object.keys(INDEXES), columns })
    : replaceTable(runner, describeTable(primary), columns);
}

function describeTable(primary: string[]): TableOptions {
  return table(
    'audit_events',
    primary,
    {
      id,
      occurred_at: timestampMs,
      type: varchar(40),
      account_id: nullable(id),
      app_id: nullable(id),
      authorization_id: nullable(id),
      detail: nullable(text),
      ip_address: nullable(varchar(45)),
      by_operator: withDefault(boolean, '0'),
    },
    { indices: Object.entries(INDEXES).map(([name, columns]) => index(name, ...columns)) },
  );
}
