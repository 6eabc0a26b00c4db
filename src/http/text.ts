import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength, MinLength, type ValidationOptions } from 'class-validator';

/** No control characters but line breaks and tabs, no bidirectional overrides, no half of a surrogate pair. */
const PLAIN = /^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069\p{Cs}]|[\n\r\t])*$/u;

const tidy = (value: unknown): unknown => (typeof value === 'string' ? value.normalize('NFC').trim() : value);

/** A text by people: in NFC, trimmed, from `min` to `max` characters, with nothing in it that hides or reorders. */
export function Text(min: number, max: number, options: Pick<ValidationOptions, 'each'> = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(tidy) : tidy(value))),
    IsString(options),
    MinLength(min, options),
    MaxLength(max, options),
    Matches(PLAIN, { ...options, message: '$property holds characters that cannot be shown' }),
  );
}
