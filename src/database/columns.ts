import { type ColumnOptions, FindOperator, type ValueTransformer } from 'typeorm';

const epochMilliseconds: ValueTransformer = {
  to: (value: unknown) => {
    // Inside of an `And`, the operators themselves come here; and one that several conditions share comes again.
    if (value instanceof FindOperator) value.transformValue(epochMilliseconds);
    return value instanceof Date ? value.getTime() : value;
  },
  from: (value: string | number | null) => (value === null ? null : new Date(Number(value))),
};

/** A moment, in milliseconds since 1970 in UTC: the same number in both databases, whatever their time zone. */
export const moment = { type: 'bigint', transformer: epochMilliseconds } as const satisfies ColumnOptions;

/** A moment that may not have come. */
export const maybeMoment = { ...moment, nullable: true } as const satisfies ColumnOptions;

/** An id: a prefix and a ULID. */
export const id = { type: 'varchar', length: 40 } as const satisfies ColumnOptions;

/** A list or an object, kept as JSON text. */
export const json = { type: 'simple-json' } as const satisfies ColumnOptions;
