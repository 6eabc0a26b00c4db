import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import {
  boolean,
  digest,
  foreignKey,
  id,
  index,
  normalizeColumnTypes,
  nullable,
  table,
  text,
  timestampMs,
  uniqueIndex,
  varchar,
} from '../table-options.js';

const TABLES = [
  table(
    'passkeys',
    ['id'],
    {
      id,
      credential_id: varchar(1364),
      account_id: id,
      name: varchar(100),
      public_key: text,
      counter: { type: 'bigint' },
      transports: text,
      backed_up: boolean,
      created_at: timestampMs,
      last_used_at: nullable(timestampMs),
    },
    {
      indices: [uniqueIndex('passkeys_credential', 'credential_id'), index('passkeys_account', 'account_id')],
      foreignKeys: [foreignKey('passkeys_account_fk', 'account_id', 'accounts')],
    },
  ),
  table(
    'used_passkey_challenges',
    ['digest'],
    { digest, used_at: nullable(timestampMs), expires_at: timestampMs },
    { indices: [index('used_passkey_challenges_expires', 'expires_at')] },
  ),
];

/** Adds passkeys, and the challenges that were used. */
export class AddPasskeys1764740000000 implements MigrationInterface {
  readonly name = 'AddPasskeys1764740000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const options of TABLES) await runner.createTable(new Table(normalizeColumnTypes(runner, options)));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
  }
}
