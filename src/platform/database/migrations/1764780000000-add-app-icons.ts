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

const APP_ICONS = table(
  'app_icons',
  ['id'],
  { id: digest, app_id: id, content_type: varchar(40), content: text, created_at: timestampMs },
  {
    indices: [uniqueIndex('app_icons_app', 'app_id')],
    foreignKeys: [foreignKey('app_icons_app_fk', 'app_id', 'apps')],
  },
);

/** Adds the table of the icons that developers upload. */
export class AddAppIcons1764780000000 implements MigrationInterface {
  readonly name = 'AddAppIcons1764780000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(normalizeColumnTypes(runner, APP_ICONS)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(APP_ICONS.name);
  }
}
