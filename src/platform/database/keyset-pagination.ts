import { IsOptional, IsString } from 'class-validator';
import {
  And,
  Equal,
  FindOperator,
  type FindOptionsOrder,
  type FindOptionsRelations,
  type FindOptionsWhere,
  LessThan,
  MoreThan,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { CursorCodec } from './cursor-codec.js';
import { RequestField } from '../openapi/api-schema.decorator.js';
import type { PageInfo } from './page.dto.js';
import { IsIntegerInRange } from '../validation/query-values.decorator.js';

/** The query parameters of every list. */
export class PageQuery {
  @RequestField('How many a page holds.', 20)
  @IsIntegerInRange(1, 100)
  limit: number = 20;

  @RequestField('The `nextCursor` of the page before, with the same filters and order.')
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: PageInfo;
}

/** A list to take a page of. `by` is what it is sorted by, then its id; a page goes on after a row, not after a count. */
export interface KeysetQuery<T extends ObjectLiteral> {
  /** What a row must fulfil; of several, one. */
  where: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  sortBy: keyof T & string;
  /** The column that tells rows apart where `by` is equal; `id`, unless said. */
  tieBreaker?: keyof T & string;
  direction: 'ASC' | 'DESC';
  relations?: FindOptionsRelations<T>;
}

/** How many rows are read at once where not all of them are kept. */
const SCAN_BATCH_SIZE = 200;

/**
 * One page, by keyset: rows that come or go meanwhile make it neither skip nor repeat others.
 * @param keep which rows belong to the list, where the database cannot say
 * @throws ApiError 400 `invalid_cursor` where the cursor is not of this list
 */
export async function findPage<T extends ObjectLiteral>(
  repository: Repository<T>,
  { where, sortBy, tieBreaker = 'id', direction, relations }: KeysetQuery<T>,
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  keep?: (rows: T[]) => Promise<T[]>,
): Promise<Page<T>> {
  const [kind, keyKind] = [getColumnKind(repository, sortBy), getColumnKind(repository, tieBreaker)];
  const cursors = new CursorCodec<KeysetPosition>(
    [repository.metadata.tableName, where, sortBy, direction],
    (position): position is KeysetPosition =>
      position.length === 2 && POSITION_VALIDATORS[kind](position[0]) && POSITION_VALIDATORS[keyKind](position[1]),
  );
  const take = keep ? Math.max(limit + 1, SCAN_BATCH_SIZE) : limit + 1;
  const wheres = Array.isArray(where) ? where : [where];
  const kept: T[] = [];
  for (let position = cursor == null ? undefined : cursors.decode(cursor); ;) {
    const from = position;
    const rows = await repository.find({
      where: from
        ? wheres.flatMap((one) => buildWhereAfter<T>(from, one, { by: sortBy, then: tieBreaker, direction, kind }))
        : where,
      order: { [sortBy]: direction, [tieBreaker]: direction } as FindOptionsOrder<T>,
      take,
      ...(relations && { relations, relationLoadStrategy: 'query' }),
    });
    kept.push(...(keep ? await keep(rows) : rows));
    if (kept.length > limit || rows.length < take) break;
    position = toPosition(rows.at(-1)!, sortBy, tieBreaker);
  }
  const data = kept.slice(0, limit);
  const nextCursor = kept.length > limit ? cursors.encode(toPosition(data.at(-1)!, sortBy, tieBreaker)) : null;
  return { data, page: { limit, nextCursor } };
}

/** Where a page ends: the value that the list is sorted by, and what tells its row from others with the same. */
type KeysetPosition = [value: string | number, key: string | number];

/** The rows after a position: those further on in the first column, or equal there and further on in the second. */
function buildWhereAfter<T extends ObjectLiteral>(
  [value, key]: KeysetPosition,
  where: FindOptionsWhere<T>,
  { by, then, direction, kind }: { by: string; then: string; direction: 'ASC' | 'DESC'; kind: ColumnKind },
): FindOptionsWhere<T>[] {
  const beyond = direction === 'ASC' ? MoreThan : LessThan;
  const reached = kind === 'timestamp' ? new Date(value) : value;
  const further = { ...where, [by]: combineConditions(where[by], beyond(reached)) };
  if (by === then) return [further];
  return [
    further,
    {
      ...where,
      [by]: combineConditions(where[by], Equal(reached)),
      [then]: combineConditions(where[then], beyond(key)),
    },
  ];
}

/** What a filter asks of a column, if it does, and that it lies beyond where the page before ended. */
function combineConditions(condition: unknown, position: FindOperator<unknown>): FindOperator<unknown> {
  if (condition === undefined) return position;
  return And(condition instanceof FindOperator ? condition : Equal(condition), position);
}

function toPosition<T extends ObjectLiteral>(row: T, by: keyof T, then: keyof T): KeysetPosition {
  return [toCursorValue(row[by]), toCursorValue(row[then])];
}

function toCursorValue(value: unknown): string | number {
  return value instanceof Date ? value.getTime() : (value as string | number);
}

/** What a list is sorted by, and whether a value could stand in such a column. */
type ColumnKind = 'timestamp' | 'integer' | 'text';

const POSITION_VALIDATORS: Record<ColumnKind, (value: unknown) => boolean> = {
  timestamp: (value) => isIntegerUpTo(8.64e15, value),
  integer: (value) => isIntegerUpTo(2 ** 31 - 1, value),
  text: isTextWithoutNul,
};

function getColumnKind<T extends ObjectLiteral>({ metadata }: Repository<T>, by: string): ColumnKind {
  const { type } = metadata.findColumnWithPropertyName(by)!;
  if (type === 'bigint') return 'timestamp';
  return type === 'integer' ? 'integer' : 'text';
}

function isIntegerUpTo(most: number, value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= most;
}

function isTextWithoutNul(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
