import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { digest, id, inDialectOf, index, integer, moment, table, text, words } from '../table-options.js';

/** Why calls of apps failed, and answers that are kept for a minute for whoever lost one. */
export class HelpForDevelopers1764300000000 implements MigrationInterface {
  readonly name = 'HelpForDevelopers1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const options of TABLES) await runner.createTable(new Table(inDialectOf(runner, options)));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
  }
}

const TABLES = [
  table(
    'failed_calls',
    ['digest'],
    { digest, app_id: id, at: moment, count: integer, call: words(200), error: words(60), reason: text },
    { indices: [index('failed_calls_app', 'app_id', 'at')] },
  ),
  table(
    'sealed_answers',
    ['digest'],
    { digest, answer: text, expires_at: moment },
    { indices: [index('sealed_answers_expires', 'expires_at')] },
  ),
];
