import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../table-options.js';

/**
 * Each refresh token is changed once, when it is spent. PostgreSQL keeps both versions; where the second finds room beside the
 * first, no index need be told (HOT). So half of each page is left for that.
 */
export class RoomForUpdates1764000000000 implements MigrationInterface {
  readonly name = 'RoomForUpdates1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    if (isPostgres(runner)) await runner.query('ALTER TABLE refresh_tokens SET (fillfactor = 50)');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (isPostgres(runner)) await runner.query('ALTER TABLE refresh_tokens RESET (fillfactor)');
  }
}
