import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, isURL, IsUrl, Matches, ValidateBy, type ValidationOptions } from 'class-validator';

type EachOption = Pick<ValidationOptions, 'each'>;

/**
 * No control characters except line breaks and tabs, no bidirectional overrides, no lone
 * surrogates.
 */
const PRINTABLE_TEXT = /^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069\p{Cs}]|[\n\r\t])*$/u;

const PRINTABLE_REQUIREMENT = 'must not contain control characters, bidirectional overrides or unpaired surrogates';

/** A visible character. */
const VISIBLE_CHARACTER = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const normalizeText = (value: unknown): unknown => (typeof value === 'string' ? value.normalize('NFC').trim() : value);

/**
 * Whether a text is a valid name of a person, app or region: 1 to 100 visible characters on one
 * line.
 */
export function isName(text: string): boolean {
  return VISIBLE_CHARACTER.test(text) && text.length <= 100 && !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text);
}

/**
 * Whether a text is a valid description: visible, without hidden characters, of at most `max`
 * characters.
 */
export function isDescription(text: string, max: number): boolean {
  return VISIBLE_CHARACTER.test(text) && text.length <= max && PRINTABLE_TEXT.test(text);
}

/** Whether a text is an https URL of at most 500 characters. */
export function isHttpsUrl(text: string): boolean {
  return text.length <= 500 && PRINTABLE_TEXT.test(text) && isURL(text, HTTPS_URL_OPTIONS);
}

const HTTPS_URL_OPTIONS = { protocols: ['https'], require_protocol: true };

/**
 * Accepts a text of `min` to `max` characters without hidden or reordering characters. Normalizes
 * it to NFC and trims it.
 */
export function IsText(min: number, max: number, options: EachOption = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map(normalizeText) : normalizeText(value),
    ),
    IsString(options),
    HasCodePointLength(min, max, options),
    IsPrintable(options),
    ...(min > 0 ? [Matches(VISIBLE_CHARACTER, { ...options, message: 'must contain a visible character' })] : []),
  );
}

/** Accepts a text on one line: a title or a name. */
export function IsSingleLine(min: number, max: number, options: EachOption = {}): PropertyDecorator {
  const message = 'must be on one line, without line breaks and tabs';
  return applyDecorators(IsText(min, max, options), Matches(/^[^\n\r\t]*$/, { ...options, message }));
}

/** Accepts an https URL of at most `max` characters. */
export function IsHttpsUrl(options: EachOption = {}, max = 500): PropertyDecorator {
  const message = `must be an https URL of at most ${max} characters, such as https://example.org/mural`;
  return applyDecorators(
    IsUrl({ ...HTTPS_URL_OPTIONS, validate_length: false }, { ...options, message }),
    HasCodePointLength(1, max, options),
    IsPrintable(options),
  );
}

function IsPrintable(options: EachOption): PropertyDecorator {
  return Matches(PRINTABLE_TEXT, { ...options, message: PRINTABLE_REQUIREMENT });
}

/** Counts code points, as PostgreSQL does. */
function HasCodePointLength(min: number, max: number, options: EachOption): PropertyDecorator {
  const fits = (value: unknown): boolean =>
    typeof value === 'string' && value.length <= 2 * max && [...value].length >= min && [...value].length <= max;
  const message = min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`;
  return ValidateBy(
    { name: 'length', constraints: [min, max], validator: { validate: fits } },
    { ...options, message },
  );
}
