import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import {
  digest,
  id,
  index,
  integer,
  normalizeColumnTypes,
  nullable,
  table,
  text,
  timestampMs,
  varchar,
} from '../table-options.js';
import { IDENTITY_TABLES } from './initial-schema/identity-tables.js';

const FAILED_CALLS = table(
  'failed_calls',
  ['digest'],
  {
    digest,
    app_id: id,
    first_failed_at: timestampMs,
    last_failed_at: timestampMs,
    count: integer,
    endpoint: varchar(200),
    error_code: varchar(60),
    reason: text,
    accepted: nullable(text),
    sent_values: text,
  },
  { indices: [index('failed_calls_app', 'app_id', 'last_failed_at')] },
);

const FAILED_CALLS_BEFORE = IDENTITY_TABLES.find(({ name }) => name === FAILED_CALLS.name)!;

/**
 * Creates the table of failed calls again: one row per violated rule, with the values sent.
 * The existing rows are dropped: their keys do not tell which rule was violated.
 */
export class GroupFailedCallsByRule1764600300000 implements MigrationInterface {
  readonly name = 'GroupFailedCallsByRule1764600300000';

  async up(runner: QueryRunner): Promise<void> {
    await replaceTable(runner, FAILED_CALLS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceTable(runner, FAILED_CALLS_BEFORE);
  }
}

async function replaceTable(runner: QueryRunner, options: TableOptions): Promise<void> {
  await runner.dropTable(options.name);
  await runner.createTable(new Table(normalizeColumnTypes(runner, options)));
}
