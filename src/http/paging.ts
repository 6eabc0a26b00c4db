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
import { Cursor } from './cursor.js';
import { WholeNumber } from './query-values.js';

/** What every list takes. */
export class PageQuery {
  /** How many a page holds. */
  @WholeNumber(1, 100)
  limit: number = 20;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: { limit: number; nextCursor: string | null; numberMatched?: number; numberMatchedIsCapped?: boolean };
}

/** A list to take a page of. `by` is what it is sorted by, then its id; a page goes on after a row, not after a count. */
export interface Listing<T extends ObjectLiteral> {
  /** What a row must fulfil; of several, one. */
  where: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  by: keyof T & string;
  /** The column that tells rows apart where `by` is equal; `id`, unless said. */
  then?: keyof T & string;
  direction: 'ASC' | 'DESC';
  relations?: FindOptionsRelations<T>;
}

/** How many rows are read at once where not all of them are kept. */
const BATCH = 200;

/**
 * One page, by keyset: rows that come or go meanwhile make it neither skip nor repeat others.
 * @param keep which rows belong to the list, where the database cannot say
 * @throws ApiError 400 `invalid_cursor` where the cursor is not of this list
 */
export async function pageOf<T extends ObjectLiteral>(
  repository: Repository<T>,
  { where, by, then = 'id', direction, relations }: Listing<T>,
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  keep?: (rows: T[]) => Promise<T[]>,
): Promise<Page<T>> {
  const [kind, keyKind] = [kindOf(repository, by), kindOf(repository, then)];
  const cursors = new Cursor<Position>(
    [repository.metadata.tableName, where, by, direction],
    (position): position is Position => position.length === 2 && FITS[kind](position[0]) && FITS[keyKind](position[1]),
  );
  const take = keep ? Math.max(limit + 1, BATCH) : limit + 1;
  const wheres = Array.isArray(where) ? where : [where];
  const kept: T[] = [];
  for (let position = cursor == null ? undefined : cursors.read(cursor); ;) {
    const from = position;
    const rows = await repository.find({
      where: from ? wheres.flatMap((one) => after<T>(from, one, { by, then, direction, kind })) : where,
      order: { [by]: direction, [then]: direction } as FindOptionsOrder<T>,
      take,
      ...(relations && { relations, relationLoadStrategy: 'query' }),
    });
    kept.push(...(keep ? await keep(rows) : rows));
    if (kept.length > limit || rows.length < take) break;
    position = positionOf(rows.at(-1)!, by, then);
  }
  const data = kept.slice(0, limit);
  const nextCursor = kept.length > limit ? cursors.write(positionOf(data.at(-1)!, by, then)) : null;
  return { data, page: { limit, nextCursor } };
}

/** Where a page ends: the value that the list is sorted by, and what tells its row from others with the same. */
type Position = [value: string | number, key: string | number];

/** The rows after a position: those further on in the first column, or equal there and further on in the second. */
function after<T extends ObjectLiteral>(
  [value, key]: Position,
  where: FindOptionsWhere<T>,
  { by, then, direction, kind }: { by: string; then: string; direction: 'ASC' | 'DESC'; kind: Kind },
): FindOptionsWhere<T>[] {
  const beyond = direction === 'ASC' ? MoreThan : LessThan;
  const reached = kind === 'moment' ? new Date(value) : value;
  const further = { ...where, [by]: both(where[by], beyond(reached)) };
  if (by === then) return [further];
  return [further, { ...where, [by]: both(where[by], Equal(reached)), [then]: both(where[then], beyond(key)) }];
}

/** What a filter asks of a column, if it does, and that it lies beyond where the page before ended. */
function both(condition: unknown, position: FindOperator<unknown>): FindOperator<unknown> {
  if (condition === undefined) return position;
  return And(condition instanceof FindOperator ? condition : Equal(condition), position);
}

function positionOf<T extends ObjectLiteral>(row: T, by: keyof T, then: keyof T): Position {
  return [plain(row[by]), plain(row[then])];
}

function plain(value: unknown): string | number {
  return value instanceof Date ? value.getTime() : (value as string | number);
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
