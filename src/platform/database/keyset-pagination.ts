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
import { CursorCodec, isIntegerUpTo, isTextWithoutNul, MAX_INTEGER, MAX_TIME_MS } from './cursor-codec.js';
import type { PageInfo } from './page.dto.js';

/** One page of a list. */
export interface Page<T> {
  data: T[];
  page: PageInfo;
}

/** A sorted list of rows. */
export interface KeysetQuery<T extends ObjectLiteral> {
  /** The condition; of several, a row must fulfill one. */
  where: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  sortBy: keyof T & string;
  /** The column that orders rows with an equal `sortBy`. Default: `id`. */
  tieBreaker?: keyof T & string;
  direction: 'ASC' | 'DESC';
  relations?: FindOptionsRelations<T>;
}

/** Rows that one query reads if a filter drops some of them. */
const SCAN_BATCH_SIZE = 200;

/**
 * Returns one page by keyset pagination. Rows that are added or removed between two pages do not
 * cause duplicates or gaps.
 * @param filter returns the rows that belong to the list, for conditions that SQL cannot express
 * @throws DomainError `invalid_cursor` if the cursor does not belong to this list
 */
export async function findPage<T extends ObjectLiteral>(
  repository: Repository<T>,
  { where, sortBy, tieBreaker = 'id', direction, relations }: KeysetQuery<T>,
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  filter?: (rows: T[]) => Promise<T[]>,
): Promise<Page<T>> {
  const [kind, keyKind] = [getColumnKind(repository, sortBy), getColumnKind(repository, tieBreaker)];
  const codec = new CursorCodec<PagePosition>(
    [repository.metadata.tableName, where, sortBy, direction],
    (position): position is PagePosition =>
      position.length === 2 && POSITION_VALIDATORS[kind](position[0]) && POSITION_VALIDATORS[keyKind](position[1]),
  );
  const take = filter ? Math.max(limit + 1, SCAN_BATCH_SIZE) : limit + 1;
  const conditions = Array.isArray(where) ? where : [where];
  const matches: T[] = [];
  for (let position = cursor == null ? undefined : codec.decode(cursor); ;) {
    const after = position;
    const rows = await repository.find({
      where: after
        ? conditions.flatMap((condition) =>
            buildWhereAfter<T>(after, condition, { sortBy, tieBreaker, direction, kind }),
          )
        : where,
      order: { [sortBy]: direction, [tieBreaker]: direction } as FindOptionsOrder<T>,
      take,
      ...(relations && { relations, relationLoadStrategy: 'query' }),
    });
    matches.push(...(filter ? await filter(rows) : rows));
    if (matches.length > limit || rows.length < take) break;
    position = toPosition(rows.at(-1)!, sortBy, tieBreaker);
  }
  const data = matches.slice(0, limit);
  const nextCursor = matches.length > limit ? codec.encode(toPosition(data.at(-1)!, sortBy, tieBreaker)) : null;
  return { data, page: { limit, nextCursor } };
}

/** The position at which a page ends: the values of the sort column and of the tie breaker. */
type PagePosition = [value: string | number, key: string | number];

/**
 * Selects the rows after a position: those beyond it in the sort column, or equal there and beyond
 * in the tie breaker.
 */
function buildWhereAfter<T extends ObjectLiteral>(
  [value, key]: PagePosition,
  where: FindOptionsWhere<T>,
  order: { sortBy: string; tieBreaker: string; direction: 'ASC' | 'DESC'; kind: ColumnKind },
): FindOptionsWhere<T>[] {
  const { sortBy, tieBreaker } = order;
  const beyond = order.direction === 'ASC' ? MoreThan : LessThan;
  const sortValue = order.kind === 'timestamp' ? new Date(value) : value;
  const further = { ...where, [sortBy]: combineConditions(where[sortBy], beyond(sortValue)) };
  if (sortBy === tieBreaker) return [further];
  const equal = {
    ...where,
    [sortBy]: combineConditions(where[sortBy], Equal(sortValue)),
    [tieBreaker]: combineConditions(where[tieBreaker], beyond(key)),
  };
  return [further, equal];
}

/**
 * Combines the list's own condition on a column, if it has one, with the condition of the position.
 */
function combineConditions(condition: unknown, position: FindOperator<unknown>): FindOperator<unknown> {
  if (condition === undefined) return position;
  return And(condition instanceof FindOperator ? condition : Equal(condition), position);
}

function toPosition<T extends ObjectLiteral>(row: T, sortBy: keyof T, tieBreaker: keyof T): PagePosition {
  return [toCursorValue(row[sortBy]), toCursorValue(row[tieBreaker])];
}

function toCursorValue(value: unknown): string | number {
  return value instanceof Date ? value.getTime() : (value as string | number);
}

/** The kinds of columns that a list can be sorted by. */
type ColumnKind = 'timestamp' | 'integer' | 'text';

/** Whether a value of a cursor can be stored in a column of this kind. */
const POSITION_VALIDATORS: Record<ColumnKind, (value: unknown) => boolean> = {
  timestamp: (value) => isIntegerUpTo(MAX_TIME_MS, value),
  integer: (value) => isIntegerUpTo(MAX_INTEGER, value),
  text: isTextWithoutNul,
};

function getColumnKind<T extends ObjectLiteral>({ metadata }: Repository<T>, property: string): ColumnKind {
  const { type } = metadata.findColumnWithPropertyName(property)!;
  if (type === 'bigint') return 'timestamp';
  return type === 'integer' ? 'integer' : 'text';
}
