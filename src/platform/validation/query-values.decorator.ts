import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsDate } from 'class-validator';
import { ListParam } from '../http/validation-details.js';
import { IsInteger, IsNumberBetween } from './members.decorator.js';

/** Limit of values per list parameter. */
const MAX_LIST_VALUES = 20;

/** Limit of ids per list parameter. */
export const MAX_LISTED_IDS = 100;

/** Splits the values of a repeated parameter at their commas. */
export function splitCsvValues(value: unknown): unknown[] {
  return [value].flat().flatMap((item) => (typeof item === 'string' ? item.split(',') : item));
}

/**
 * Accepts a repeated parameter, comma-separated values, or both. Removes duplicates.
 * @param maxValues limit of different values
 */
export function IsCsvArray(maxValues = MAX_LIST_VALUES): PropertyDecorator {
  const split = ({ value }: { value: unknown }): unknown =>
    value === undefined ? undefined : [...new Set(splitCsvValues(value))];
  return applyDecorators(Transform(split), ListParam(), ArrayMaxSize(maxValues));
}

/** Accepts an integer in digits. */
export function IsIntegerInRange(min: number, max: number): PropertyDecorator {
  return applyDecorators(TransformToNumber(/^-?\d{1,9}$/), IsInteger(min, max));
}

/** Accepts a decimal number such as `-16.8`. */
export function IsDecimalInRange(...range: Parameters<typeof IsNumberBetween>): PropertyDecorator {
  return applyDecorators(TransformToNumber(/^-?\d{1,9}(\.\d{1,15})?$/), IsNumberBetween(...range));
}

/** Accepts an RFC 3339 date and time such as `2026-11-20T08:00:00Z`. */
export function IsRfc3339(): PropertyDecorator {
  const format = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;
  const parse = ({ value }: { value: unknown }): unknown => {
    const day = typeof value === 'string' ? format.exec(value)?.[1] : undefined;
    return day && isCalendarDate(day) ? new Date(value as string) : value;
  };
  return applyDecorators(
    Transform(parse),
    IsDate({ message: 'must be a date and time with a time zone (RFC 3339), such as 2026-11-20T08:00:00Z' }),
  );
}

/** Accepts `true` or `false`. */
export function IsBooleanString(): PropertyDecorator {
  const parse = ({ value }: { value: unknown }): unknown =>
    value === 'true' || value === 'false' ? value === 'true' : value;
  return applyDecorators(Transform(parse), IsBoolean({ message: 'must be true or false' }));
}

/** Whether a date exists. `Date` converts a nonexistent date to a date of the next month. */
function isCalendarDate(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function TransformToNumber(format: RegExp): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && format.test(value) ? Number(value) : value,
  );
}
