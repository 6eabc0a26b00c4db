import { type ColumnOptions, FindOperator, type ValueTransformer } from 'typeorm';

const timestampMsTransformer: ValueTransformer = {
  to: (value: unknown) => {
    // TypeORM also passes operators inside `And`, and passes an operator again if conditions share
    // it.
    if (value instanceof FindOperator) value.transformValue(timestampMsTransformer);
    return value instanceof Date ? value.getTime() : value;
  },
  from: (value: string | number | null) => (value === null ? null : new Date(Number(value))),
};

/**
 * A time as milliseconds since 1970 in UTC: the same number in both databases and all time zones.
 */
export const timestampMs = { type: 'bigint', transformer: timestampMsTransformer } as const satisfies ColumnOptions;

/** An id: a prefix and a ULID. */
export const idColumn = { type: 'varchar', length: 40 } as const satisfies ColumnOptions;

const base64Transformer: ValueTransformer = {
  to: (value: unknown) => (Buffer.isBuffer(value) ? value.toString('base64') : value),
  from: (value: string | null) => (value === null ? null : Buffer.from(value, 'base64')),
};

/** Bytes as base64 text. */
export const bytes = { type: 'text', transformer: base64Transformer } as const satisfies ColumnOptions;

const digestTransformer: ValueTransformer = {
  to: (value: unknown) => {
    if (value instanceof FindOperator) value.transformValue(digestTransformer);
    return typeof value === 'string' ? Buffer.from(value, 'base64url') : value;
  },
  from: (value: Buffer | null) => value?.toString('base64url') ?? null,
};

/** A SHA-256 digest: base64url in the code, 32 bytes in the database. */
export const digestBytes = { type: 'blob', transformer: digestTransformer } as const satisfies ColumnOptions;

/** A list or an object, stored as JSON text. */
export const json = { type: 'simple-json' } as const satisfies ColumnOptions;

/** The same column, nullable. */
export function nullableColumn<T extends ColumnOptions>(column: T): T & { nullable: true } {
  return { ...column, nullable: true };
}
