import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import {
  digest,
  foreignKey,
  id,
  normalizeColumnTypes,
  table,
  text,
  timestampMs,
  uniqueIndex,
  varchar,
} from '../table-options.js';

const PROFILE_PICTURES = table(
  'profile_pictures',
  ['id'],
  { id: digest, account_id: id, content_type: varchar(40), content: text, created_at: timestampMs },
  {
    indices: [uniqueIndex('profile_pictures_account', 'account_id')],
    foreignKeys: [foreignKey('profile_pictures_account_fk', 'account_id', 'accounts')],
  },
);

/** Adds the table of the pictures that people upload. */
export class AddProfilePictures1764730000000 implements MigrationInterface {
  readonly name = 'AddProfilePictures1764730000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(normalizeColumnTypes(runner, PROFILE_PICTURES)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(PROFILE_PICTURES.name);
  }
}
