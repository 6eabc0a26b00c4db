import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import {
  digest,
  foreignKey,
  id,
  index,
  normalizeColumnTypes,
  nullable,
  table,
  timestampMs,
  varchar,
} from '../table-options.js';

const ACCOUNT_LINKS = table(
  'account_links',
  ['digest'],
  {
    digest,
    purpose: varchar(20),
    account_id: id,
    email: nullable(varchar(254)),
    created_at: timestampMs,
    expires_at: timestampMs,
    used_at: nullable(timestampMs),
  },
  {
    indices: [index('account_links_account', 'account_id'), index('account_links_expires', 'expires_at')],
    foreignKeys: [foreignKey('account_links_account_fk', 'account_id', 'accounts')],
  },
);

/** Adds the links that confirm an e-mail address or set a new password. */
export class AddAccountLinks1764720000000 implements MigrationInterface {
  readonly name = 'AddAccountLinks1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(normalizeColumnTypes(runner, ACCOUNT_LINKS)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(ACCOUNT_LINKS.name);
  }
}
