import { type MigrationInterface, type QueryRunner, Table, TableIndex, type TableIndexOptions } from 'typeorm';
import { inDialectOf, index, moment, table, words } from '../table-options.js';

/** By what stale rows are found, and who is to delete them. */
export class CleanUp1763900000000 implements MigrationInterface {
  readonly name = 'CleanUp1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(inDialectOf(runner, CHORES)));
    for (const [name, options] of INDICES) await runner.createIndex(name, new TableIndex(options));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, options] of INDICES) await runner.dropIndex(name, options.name!);
    await runner.dropTable(CHORES.name);
  }
}

const CHORES = table('chores', ['name'], { name: words(40), due_at: moment });

const INDICES: [table: string, options: TableIndexOptions][] = [
  ['refresh_tokens', index('refresh_tokens_expires', 'expires_at')],
  ['sessions', index('sessions_expires', 'expires_at')],
  ['authorization_codes', index('authorization_codes_authorization', 'authorization_id', 'expires_at')],
];
