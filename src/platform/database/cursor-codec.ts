import { createHash } from 'node:crypto';
import { ApiError } from '../http/api-error.js';

/**
 * Cursors of one list: where a page ended, with a sign of the list, so that one of another list or with other filters is
 * refused.
 */
export class CursorCodec<Position extends unknown[]> {
  private readonly fingerprint: string;

  /**
   * @param list what the list is of: its order and its filters
   * @param isPosition whether something could be a position in it
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

  /** @throws ApiError 400 `invalid_cursor` */
  decode(cursor: string): Position {
    const read = decodeJsonArray(cursor);
    const [list, position] = [read?.at(-1), read?.slice(0, -1) ?? []];
    if (list === this.fingerprint && this.isPosition(position)) return position;
    throw invalidCursor();
  }
}

export function invalidCursor(): ApiError {
  return new ApiError(400, 'invalid_cursor', 'This cursor is not of this list. Start again without one.');
}

function decodeJsonArray(cursor: string): unknown[] | undefined {
  try {
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
