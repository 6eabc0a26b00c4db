import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsDate, IsInt, IsNumber, Max, Min } from 'class-validator';

/** How many alternatives a filter takes at most. */
const MAX_FILTER_VALUES = 100;

/** A list in a query: a name that is repeated, or values separated by commas; each value once. */
export function IsCsvArray(): PropertyDecorator {
  const split = ({ value }: { value: unknown }): unknown =>
    value === undefined
      ? undefined
      : [...new Set([value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : one)))];
  return applyDecorators(Transform(split), ArrayMaxSize(MAX_FILTER_VALUES));
}

/** A whole number, in digits. */
export function IsIntegerInRange(min: number, max: number): PropertyDecorator {
  return applyDecorators(TransformToNumber(/^-?\d{1,9}$/), IsInt(), Min(min), Max(max));
}

/** A number with a point, as `-16.8`. */
export function IsDecimalInRange(min: number, max: number): PropertyDecorator {
  return applyDecorators(TransformToNumber(/^-?\d{1,9}(\.\d{1,15})?$/), IsNumber(), Min(min), Max(max));
}

/** A moment by RFC 3339, as `2026-11-20T08:00:00Z`. */
export function IsRfc3339(): PropertyDecorator {
  const form = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;
  const read = ({ value }: { value: unknown }): unknown => {
    const day = typeof value === 'string' ? form.exec(value)?.[1] : undefined;
    return day && isCalendarDate(day) ? new Date(value as string) : value;
  };
  return applyDecorators(
    Transform(read),
    IsDate({ message: '$property must be a moment such as 2026-11-20T08:00:00Z' }),
  );
}

/** `true` or `false`. */
export function IsBooleanString(): PropertyDecorator {
  const read = ({ value }: { value: unknown }): unknown =>
    value === 'true' || value === 'false' ? value === 'true' : value;
  return applyDecorators(Transform(read), IsBoolean({ message: '$property must be true or false' }));
}

/** Whether the calendar has a day; `Date` goes on to the next month where it has not. */
function isCalendarDate(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function TransformToNumber(form: RegExp): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && form.test(value) ? Number(value) : value,
  );
}
