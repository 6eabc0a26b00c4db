import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import {
  digest,
  id,
  inDialectOf,
  index,
  integer,
  maybeId,
  maybeMoment,
  maybeText,
  moment,
  references,
  table,
  text,
} from '../table-options.js';

/** What people sign in with, what they allow, and what apps exchange for it. */
export class SignInAndConsent1763700000000 implements MigrationInterface {
  readonly name = 'SignInAndConsent1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, column, type] of COLUMNS)
      await runner.query(`ALTER TABLE "${name}" ADD COLUMN "${column}" ${type}`);
    await runner.query(`UPDATE "apps" SET "disabled_by" = 'operator' WHERE "disabled_at" IS NOT NULL`);
    for (const options of TABLES) await runner.createTable(new Table(inDialectOf(runner, options)));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
    for (const [name, column] of COLUMNS) await runner.query(`ALTER TABLE "${name}" DROP COLUMN "${column}"`);
  }
}

/** Columns of tables that are there already; none may be required, since rows are there as well. */
const COLUMNS: [table: string, column: string, type: string][] = [
  ['accounts', 'picture', 'varchar(500)'],
  ['accounts', 'email_verified_at', 'bigint'],
  ['apps', 'description', 'varchar(500)'],
  ['apps', 'home_page', 'varchar(500)'],
  ['apps', 'disabled_by', 'varchar(10)'],
  ['authorizations', 'consented_at', 'bigint'],
];

const TABLES: TableOptions[] = [
  table(
    'sessions',
    ['digest'],
    { digest, account_id: id, auth_time: moment, expires_at: moment },
    {
      indices: [index('sessions_account', 'account_id')],
      foreignKeys: [references('sessions_account_fk', 'account_id', 'accounts')],
    },
  ),
  table(
    'sign_in_attempts',
    ['digest'],
    { digest, count: integer, last_at: moment },
    { indices: [index('sign_in_attempts_last', 'last_at')] },
  ),
  table(
    'consents',
    ['id'],
    {
      id,
      account_id: id,
      app_id: id,
      scopes: text,
      created_at: moment,
      updated_at: moment,
      withdrawn_at: maybeMoment,
    },
    {
      indices: [
        {
          name: 'consents_account_app',
          columnNames: ['account_id', 'app_id'],
          isUnique: true,
          where: 'withdrawn_at IS NULL',
        },
      ],
      foreignKeys: [
        references('consents_account_fk', 'account_id', 'accounts'),
        references('consents_app_fk', 'app_id', 'apps'),
      ],
    },
  ),
  table(
    'authorization_codes',
    ['digest'],
    {
      digest,
      account_id: id,
      app_id: id,
      consent_id: id,
      scopes: text,
      redirect_uri: text,
      code_challenge: { ...digest, isNullable: true },
      nonce: maybeText,
      auth_time: moment,
      expires_at: moment,
      used_at: maybeMoment,
      authorization_id: maybeId,
    },
    {
      foreignKeys: [
        references('authorization_codes_account_fk', 'account_id', 'accounts'),
        references('authorization_codes_app_fk', 'app_id', 'apps'),
        references('authorization_codes_consent_fk', 'consent_id', 'consents'),
      ],
    },
  ),
];
