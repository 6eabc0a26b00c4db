import { createHash } from 'node:crypto';
import { ApiError } from './api-error.js';

/**
 * Cursors of one list: where a page ended, with a sign of the list, so that one of another list or with other filters is
 * refused.
 */
export class Cursor<Position extends unknown[]> {
  private readonly list: string;

  /**
   * @param list what the list is of: its order and its filters
   * @param fits whether something could be a position in it
   */
  constructor(
    list: unknown,
    private readonly fits: (position: unknown[]) => position is Position,
  ) {
    this.list = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8);
  }

  write(position: Position): string {
    return Buffer.from(JSON.stringify([...position, this.list])).toString('base64url');
  }

  /** @throws ApiError 400 `invalid_cursor` */
  read(cursor: string): Position {
    const read = parse(cursor);
    const [list, position] = [read?.at(-1), read?.slice(0, -1) ?? []];
    if (list === this.list && this.fits(position)) return position;
    throw invalidCursor();
  }
}

export function invalidCursor(): ApiError {
  return new ApiError(400, 'invalid_cursor', 'This cursor is not of this list. Start again without one.');
}

function parse(cursor: string): unknown[] | undefined {
  try {
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
