import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';

/** The largest value of an integer column. */
export const MAX_INTEGER = 2 ** 31 - 1;

/** The largest time of a `Date`, in milliseconds. */
export const MAX_TIME_MS = 8.64e15;

/** The cursor is malformed, or belongs to another list. */
export function createInvalidCursorError(): DomainError {
  return new DomainError(
    'invalid',
    'invalid_cursor',
    'cursor does not belong to this list, its filters and its order. Request the first page without cursor.',
  );
}

/**
 * Encodes and decodes the cursors of one list. A cursor contains the position at which a page ends,
 * and a fingerprint of the list. The fingerprint rejects cursors of other lists and of other
 * filters.
 */
export class CursorCodec<Position extends unknown[]> {
  private readonly fingerprint: string;

  /**
   * @param list identifies the list: its table, its order and its filters
   * @param isPosition whether a decoded value can be a position in the list
   */
  constructor(
    list: unknown,
    private readonly isPosition: (position: unknown[]) => position is Position,
  ) {
    this.fingerprint = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8);
  }

  encode(position: Position): string {
    return Buffer.from(JSON.stringify([...position, this.fingerprint])).toString('base64url');
  }

  /** @throws DomainError `invalid_cursor` */
  decode(cursor: string): Position {
    const parts = decodeJsonArray(cursor);
    const [fingerprint, position] = [parts?.at(-1), parts?.slice(0, -1) ?? []];
    if (fingerprint !== this.fingerprint || !this.isPosition(position)) throw createInvalidCursorError();
    return position;
  }
}

function decodeJsonArray(cursor: string): unknown[] | undefined {
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value of a cursor is an integer whose absolute value is at most `max`. */
export function isIntegerUpTo(max: number, value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= max;
}

/** Whether a value of a cursor is a text that PostgreSQL can compare: it rejects NUL. */
export function isTextWithoutNul(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
