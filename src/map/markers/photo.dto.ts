import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { isSpdxLicense } from '../../platform/config/spdx-license.js';
import { ApiSchema, RequestField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { nullable, stringSchema } from '../../platform/openapi/json-schema.js';
import { IsNullable } from '../../platform/validation/members.decorator.js';
import { IsHttpsUrl, IsSingleLine } from '../../platform/validation/text.decorator.js';

const MAX_PHOTO_URL_LENGTH = 2000;

/** A photo of an artwork, as edits suggest it. */
@ApiSchema('PhotoFields', 'A photo of an artwork. The service does not fetch it.')
export class PhotoFields {
  @RequestField('https URL of the photo: up to 2,000 characters.', 'https://images.example/fox-tram.jpg')
  @IsHttpsUrl({}, MAX_PHOTO_URL_LENGTH)
  url!: string;

  @RequestField(
    'Photographer, on one line: 1 to 200 characters. `null` only for a photo that the artwork has without a credit.',
    'Mila Vos',
  )
  @IsNullable()
  @IsSingleLine(1, 200)
  credit!: string | null;

  @RequestField(
    'License: an id of the SPDX License List. `null` only for a photo that the artwork has without a license.',
    'CC-BY-4.0',
    { type: 'string' },
  )
  @IsNullable()
  @ValidateBy(
    { name: 'isLicense', validator: { validate: isSpdxLicense } },
    { message: 'must be an id of the SPDX License List (https://spdx.org/licenses/), such as CC-BY-4.0' },
  )
  license!: string | null;

  @RequestField('Day on which the photo was taken.', '2026-05-17', { format: 'date' })
  @IsOptional()
  @Matches(/^\d{4}-\d\d-\d\d$/, { message: 'must be a date, such as 2026-05-17' })
  @ValidateBy(
    { name: 'isPastDate', validator: { validate: isPastDate } },
    { message: 'must be a date that exists and is not in the future' },
  )
  takenAt: string | null = null;

  @RequestField('Description of the photo for people who do not see it, on one line: 1 to 200 characters.', 'A fox.')
  @IsOptional()
  @IsSingleLine(1, 200)
  alt: string | null = null;
}

/** A photo of an artwork. */
@ApiSchema('Photo', 'A photo of an artwork.')
export class Photo {
  @ResponseField(stringSchema('https URL of the photo.', 'https://images.example/fox-tram.jpg'))
  url!: string;

  @ResponseField(nullable(stringSchema('Photographer. `null` if unknown.', 'Mila Vos')))
  credit!: string | null;

  @ResponseField(nullable(stringSchema('License: an id of the SPDX License List. `null` if unknown.', 'CC-BY-4.0')))
  license!: string | null;

  @ResponseField(
    nullable({ type: 'string', format: 'date', description: 'Day on which it was taken.', examples: [null] }),
  )
  takenAt!: string | null;

  @ResponseField(nullable(stringSchema('Description for people who do not see the photo.', null)))
  alt!: string | null;
}

/** Returns the URL of the first photo. */
export function getImageUrl({ photos }: { photos: Photo[] }): string | null {
  return photos[0]?.url ?? null;
}

/** Returns the photo of a URL alone, as edits of `imageUrl` suggest it. */
export function toPhoto(url: string): Photo {
  return { url, credit: null, license: null, takenAt: null, alt: null };
}

/** The time zone of the client can be ahead of UTC by 14 hours. */
function isPastDate(value: unknown): boolean {
  const date = new Date(value as string);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
  return isReal && date.getTime() <= Date.now() + 14 * 3600 * 1000;
}
