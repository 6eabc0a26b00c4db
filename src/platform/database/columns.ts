import { type ColumnOptions, FindOperator, type ValueTransformer } from 'typeorm';

const timestampMsTransformer: ValueTransformer = {
  to: (value: unknown) => {
    // Inside of an `And`, the operators themselves come here; and one that several conditions share comes again.
    if (value instanceof FindOperator) value.transformValue(timestampMsTransformer);
    return value instanceof Date ? value.getTime() : value;
  },
  from: (value: string | number | null) => (value === null ? null : new Date(Number(value))),
};

/** A time, stored as milliseconds since 1970 in UTC: the same number in both databases, whatever their time zone. */
export const timestampMs = { type: 'bigint', transformer: timestampMsTransformer } as const satisfies ColumnOptions;

/** An id: a prefix and a ULID. */
export const id = { type: 'varchar', length: 40 } as const satisfies ColumnOptions;

/** A list or an object, kept as JSON text. */
export const json = { type: 'simple-json' } as const satisfies ColumnOptions;

/** The same column, nullable. */
export function nullable<T extends ColumnOptions>(column: T): T & { nullable: true } {
  return { ...column, nullable: true };
}
