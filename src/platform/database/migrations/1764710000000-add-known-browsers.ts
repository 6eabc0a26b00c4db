import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { digest, foreignKey, id, index, integer, normalizeColumnTypes, table, timestampMs } from '../table-options.js';

const TABLES = [
  table(
    'known_browsers',
    ['digest'],
    { digest, account_id: id, created_at: timestampMs, last_used_at: timestampMs },
    {
      indices: [index('known_browsers_account', 'account_id'), index('known_browsers_last_used', 'last_used_at')],
      foreignKeys: [foreignKey('known_browsers_account_fk', 'account_id', 'accounts')],
    },
  ),
  table(
    'known_networks',
    ['digest'],
    { digest, account_id: id, last_used_at: timestampMs },
    {
      indices: [index('known_networks_account', 'account_id'), index('known_networks_last_used', 'last_used_at')],
      foreignKeys: [foreignKey('known_networks_account_fk', 'account_id', 'accounts')],
    },
  ),
  table(
    'network_failure_windows',
    ['digest'],
    { digest, count: integer, ends_at: timestampMs },
    { indices: [index('network_failure_windows_ends', 'ends_at')] },
  ),
];

/** Adds the browsers and networks that accounts signed in from, and failures by network. */
export class AddKnownBrowsers1764710000000 implements MigrationInterface {
  readonly name = 'AddKnownBrowsers1764710000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const options of TABLES) await runner.createTable(new Table(normalizeColumnTypes(runner, options)));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.dropTable(name);
  }
}
