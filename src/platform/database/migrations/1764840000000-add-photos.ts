import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../table-options.js';

const toPhotos = (photo: string): string => `UPDATE "markers" SET "photos" = ${photo} WHERE "image_url" IS NOT NULL`;

const TO_PHOTOS = {
  sqlite: toPhotos(
    `json_array(json_object('url', "image_url", 'credit', NULL, 'license', NULL, 'takenAt', NULL, 'alt', NULL))`,
  ),
  postgres: toPhotos(
    `json_build_array(json_build_object('url', "image_url", 'credit', NULL, 'license', NULL, 'takenAt', NULL, 'alt', NULL))::text`,
  ),
};

const TO_IMAGE_URL = {
  sqlite: `UPDATE "markers" SET "image_url" = substr("photos" ->> '$[0].url', 1, 500) WHERE "photos" <> '[]'`,
  postgres: `UPDATE "markers" SET "image_url" = substr("photos"::jsonb -> 0 ->> 'url', 1, 500) WHERE "photos" <> '[]'`,
};

/** Replaces the picture of a marker by photos with credit and license. */
export class AddPhotos1764840000000 implements MigrationInterface {
  readonly name = 'AddPhotos1764840000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "markers" ADD COLUMN "photos" text NOT NULL DEFAULT '[]'`);
    await runner.query(TO_PHOTOS[isPostgres(runner) ? 'postgres' : 'sqlite']);
    await runner.query('ALTER TABLE "markers" DROP COLUMN "image_url"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "markers" ADD COLUMN "image_url" varchar(500)');
    await runner.query(TO_IMAGE_URL[isPostgres(runner) ? 'postgres' : 'sqlite']);
    await runner.query('ALTER TABLE "markers" DROP COLUMN "photos"');
  }
}
