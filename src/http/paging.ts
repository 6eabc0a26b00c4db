import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { createHash } from 'node:crypto';
import {
  type FindOptionsOrder,
  type FindOptionsRelations,
  type FindOptionsWhere,
  LessThan,
  MoreThan,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { ApiError } from './api-error.js';

/** How many a page holds: a whole number, in digits. */
export function Limit(most: number): PropertyDecorator {
  const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d{1,6}$/.test(value);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value)),
    IsInt(),
    Min(1),
    Max(most),
  );
}

/** What every list takes. */
export class PageQuery {
  @Limit(100)
  limit: number = 20;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: { limit: number; nextCursor: string | null };
}

/** A list to take a page of. `by` is what it is sorted by, then its id; a page goes on after a row, not after a count. */
export interface Listing<T extends ObjectLiteral> {
  where: FindOptionsWhere<T>;
  by: keyof T & string;
  /** The column that tells rows apart where `by` is equal; `id`, unless said. */
  then?: keyof T & string;
  direction: 'ASC' | 'DESC';
  relations?: FindOptionsRelations<T>;
}

/**
 * One page, by keyset: rows that come or go meanwhile make it neither skip nor repeat others.
 * @throws ApiError 400 `invalid_cursor` where the cursor is not of this list
 */
export async function pageOf<T extends ObjectLiteral>(
  repository: Repository<T>,
  { where, by, then = 'id', direction, relations }: Listing<T>,
  { limit, cursor }: Pick<PageQuery, 'limit' | 'cursor'>,
): Promise<Page<T>> {
  const list = hash([repository.metadata.tableName, where, by, direction]);
  const kind = kindOf(repository, by);
  const position = cursor === undefined ? undefined : readCursor(cursor, list, kind);
  const rows = await repository.find({
    where: position ? after<T>(position, where, { by, then, direction, kind }) : where,
    order: { [by]: direction, [then]: direction } as FindOptionsOrder<T>,
    take: limit + 1,
    ...(relations && { relations, relationLoadStrategy: 'query' }),
  });
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  const nextCursor = last ? writeCursor([plain(last[by]), last[then]], list) : null;
  return { data, page: { limit, nextCursor } };
}

/** Where a page ends: the value that the list is sorted by, and the id of the row. */
type Position = [value: string | number, id: string];

/** The rows after a position: those further on in the first column, or equal there and further on in the second. */
function after<T extends ObjectLiteral>(
  [value, id]: Position,
  where: FindOptionsWhere<T>,
  { by, then, direction, kind }: { by: string; then: string; direction: 'ASC' | 'DESC'; kind: Kind },
): FindOptionsWhere<T>[] {
  const beyond = direction === 'ASC' ? MoreThan : LessThan;
  const reached = kind === 'moment' ? new Date(value) : value;
  if (by === then) return [{ ...where, [by]: beyond(reached) }];
  return [
    { ...where, [by]: beyond(reached) },
    { ...where, [by]: reached, [then]: beyond(id) },
  ];
}

function plain(value: unknown): string | number {
  return value instanceof Date ? value.getTime() : (value as string | number);
}

function hash(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8);
}

function writeCursor(position: Position, list: string): string {
  return Buffer.from(JSON.stringify([...position, list])).toString('base64url');
}

function readCursor(cursor: string, list: string, kind: Kind): Position {
  try {
    const [value, id, of] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (of === list && FITS[kind](value) && isPlainText(id)) return [value as Position[0], id];
  } catch {
    // Not one of ours: the same answer as for another list's.
  }
  throw new ApiError(400, 'invalid_cursor', 'This cursor is not of this list. Start again without one.');
}

/** What a list is sorted by, and whether a value could stand in such a column. */
type Kind = 'moment' | 'integer' | 'text';

const FITS: Record<Kind, (value: unknown) => boolean> = {
  moment: (value) => isWholeNumberUpTo(8.64e15, value),
  integer: (value) => isWholeNumberUpTo(2 ** 31 - 1, value),
  text: isPlainText,
};

function kindOf<T extends ObjectLiteral>({ metadata }: Repository<T>, by: string): Kind {
  const { type } = metadata.findColumnWithPropertyName(by)!;
  if (type === 'bigint') return 'moment';
  return type === 'integer' ? 'integer' : 'text';
}

function isWholeNumberUpTo(most: number, value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= most;
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
