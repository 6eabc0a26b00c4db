import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { digest, index, integer, normalizeColumnTypes, table, timestampMs } from '../table-options.js';

const TABLE = table(
  'rate_limit_windows',
  ['digest'],
  { digest, count: integer, ends_at: timestampMs },
  { indices: [index('rate_limit_windows_ends', 'ends_at')] },
);

/**
 * Adds the counters of security limits. They replace `network_failure_windows`, which old processes
 * use during the upgrade; a later version removes it.
 */
export class AddRateLimitWindows1764850000000 implements MigrationInterface {
  readonly name = 'AddRateLimitWindows1764850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(normalizeColumnTypes(runner, TABLE)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
