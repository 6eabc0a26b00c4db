import { type SearchAdapter, TEXT_FIELD_COUNT, type TextMatch } from './search-adapter.js';
import {
  buildConditions,
  buildTitleEquals,
  buildTitleStarts,
  createFacetRows,
  createRows,
  getSearchAreas,
  negate,
  selectByFacets,
  splitAreas,
  toFacetGroups,
} from './search-conditions.js';
import {
  type CandidateRows,
  type Circle,
  type MarkerFilters,
  type MarkerSearchQuery,
  type PagePosition,
  type ReadStep,
  type RowCheck,
  type SearchPlan,
  type SearchStage,
  SORTED_BY_ROW_NUMBER,
  type SqlFragment,
} from './search-plan.js';

/** Ranks of titles: the title equals the terms, starts with them, or contains them. */
const TITLE_EQUALS = 0;
const TITLE_STARTS = 1;
const TITLE_CONTAINS = 2;

/** The rank of a marker whose terms are in all fields together. Each field has its rank. */
export const LAST_RANK = TITLE_CONTAINS + TEXT_FIELD_COUNT - 1;

/**
 * First batch of the rows with equal titles, which an index has in order. `bench/README.md`: text,
 * common word, by relevance.
 */
const TITLE_BATCH_SIZE = 200_000;

/** First radius of a search by distance. `bench/README.md`: near, 1 km and 50 km. */
const INITIAL_RADIUS_METERS = 250;

/** The rows of the whole map. `bench/README.md`: box, half-width 5° to the whole world. */
const WHOLE_MAP: CandidateRows = {
  read: 'in batches',
  from: { sql: 'FROM marker_search s WHERE s.row_number > :after AND s.row_number <= :until', parameters: {} },
  orderBy: 's.row_number',
  firstBatchSize: 25_000,
};

/**
 * Plans a search: which rows it reads, in which order. No query plan is fast for all boxes, and
 * query planners choose badly between them. So a plan has steps for few rows, which are read and
 * sorted, and checks that count the rows of an index up to a limit. Many rows are read in order, in
 * batches, until a page is full.
 */
export function planSearch(search: MarkerSearchQuery, adapter: SearchAdapter): SearchPlan {
  if (search.sort === 'relevance') return planRelevance(search, adapter);
  if (search.sort === 'distance') return planDistance(search, adapter);
  return search.sort === 'updatedAt' ? planTime(search, adapter) : planNumbers(search, adapter);
}

/** Plans a count, which needs no order: the first step that is used reads all matches. */
export function planCount(filters: MarkerFilters, adapter: SearchAdapter): SearchStage {
  const areas = getSearchAreas(filters);
  const strips = areas && createStep(createAreaStrips(filters, adapter), filters, adapter);
  const selective = withoutBatchLimit(createSelectiveSteps(filters, adapter));
  if (filters.near)
    return { steps: [...selective, strips!], order: { by: 'distance', circle: filters.near }, isExhaustive: true };
  const match = toTextMatch(filters);
  const rows = match ? adapter.createTermRows(match) : createScannedRows(filters);
  const moderateArea = strips && { ...strips, check: checkAreas(filters, adapter, 'rowsToSortAfterScan') };
  const steps = [...selective, ...(moderateArea ? [moderateArea] : []), createStep(rows, filters, adapter)];
  return { steps, order: { by: 'number' }, isExhaustive: true };
}

/** Plans a search in the order of insertion. */
function planNumbers({ filters, after }: MarkerSearchQuery, adapter: SearchAdapter): SearchPlan {
  const selective = createSelectiveSteps(filters, adapter);
  const areas = getSearchAreas(filters);
  const match = toTextMatch(filters);
  const terms = match && createStep(adapter.createTermRows(match), filters, adapter);
  const scan = createStep(createScannedRows(filters), filters, adapter);
  const moderateArea = areas && {
    ...createStep(adapter.createSortedRows(adapter.selectInAreas(areas), 'areas'), filters, adapter),
    check: checkAreas(filters, adapter, 'rowsToSortAfterScan'),
  };
  const dense =
    terms?.rows.read === 'in lists'
      ? [terms]
      : [{ ...scan, batchLimit: 1 }, ...(moderateArea ? [moderateArea] : []), terms ?? scan];
  return [{ steps: [...selective, ...dense], order: { by: 'number' }, after, isExhaustive: true }];
}

/** Plans a search by the time of the last change, the oldest first. */
function planTime({ filters, after }: MarkerSearchQuery, adapter: SearchAdapter): SearchPlan {
  const start = after ?? [filters.updatedSince?.getTime() ?? 0, 0];
  const [at, afterNumber] = start;
  const isAfter = { sql: '(s.updated_at, s.row_number) > (:at, :afterNumber)', parameters: { at, afterNumber } };
  const selective = withoutBatchLimit(createSelectiveSteps(filters, adapter)).map((step) => ({
    ...step,
    conditions: [...step.conditions, isAfter],
  }));
  const dense = createStep({ read: 'by time', after: start }, filters, adapter);
  return [{ steps: [...selective, dense], order: { by: 'time' }, after: start, isExhaustive: true }];
}

/** Plans a search by distance: doubles the radius until there are enough results. */
function planDistance({ filters, after }: MarkerSearchQuery, adapter: SearchAdapter): SearchPlan {
  const circle = filters.near!;
  const { near: _, ...others } = filters;
  const selective = withoutBatchLimit(createSelectiveSteps(others, adapter)).map((step): ReadStep => ({
    ...step,
    ...createStep(step.rows, filters, adapter),
  }));
  const stages: SearchPlan = [{ steps: selective, order: { by: 'distance', circle }, after, isExhaustive: true }];
  let [radius, beyond] = [Math.max(INITIAL_RADIUS_METERS, (after?.[0] ?? 0) * 1.5), -1];
  for (; beyond < circle.radius; radius *= 2) {
    const ring = { ...circle, radius: Math.min(radius, circle.radius) };
    stages.push(planRing({ ...filters, near: ring }, beyond, after, adapter));
    beyond = ring.radius;
  }
  return stages;
}

/** Plans the results in a circle that are farther away than a distance. */
function planRing(
  filters: MarkerFilters & { near: Circle },
  beyond: number,
  after: PagePosition | undefined,
  adapter: SearchAdapter,
): SearchStage {
  const strips = createStep(createAreaStrips(filters, adapter), filters, adapter);
  const steps = [createAreaStep(filters, adapter), strips];
  return { steps, order: { by: 'distance', circle: filters.near, beyond }, after };
}

/**
 * Plans a search by relevance: all matches are ranked if they are few; otherwise the ranks are read
 * one after the other. The rank of a marker is the number of its fields, in the order of their
 * weight, that together contain all terms; titles have two better ranks. Equal ranks are sorted by
 * distance, if the search has a point, and by row number.
 */
function planRelevance({ filters, after }: MarkerSearchQuery, adapter: SearchAdapter): SearchPlan {
  const { near } = filters;
  const selective = withoutBatchLimit(createSelectiveSteps(filters, adapter, getRowsToRank(filters, adapter)));
  const stages: SearchPlan = [
    {
      steps: selective,
      order: { by: 'rank', rank: buildRank(filters, adapter), circle: near },
      after,
      isExhaustive: true,
    },
  ];
  for (let rank = after?.[0] ?? TITLE_EQUALS; rank <= LAST_RANK; rank++) {
    const steps = planRank(filters, rank, adapter);
    const start = rank === after?.[0] ? after : undefined;
    stages.push(
      near
        ? { steps: withoutBatchLimit(steps), order: { by: 'distance', circle: near }, after: start, rank }
        : { steps, order: { by: 'number' }, after: start, rank },
    );
  }
  return stages;
}

/** Returns the steps that read the rows of one rank. */
function planRank(filters: MarkerFilters, rank: number, adapter: SearchAdapter): ReadStep[] {
  const terms = filters.terms!;
  const [equals, starts] = [buildTitleEquals(terms), buildTitleStarts(terms)];
  const create = (rows: CandidateRows, ...conditions: SqlFragment[]): ReadStep => ({
    rows,
    conditions: [...buildConditions(filters), ...conditions],
  });
  if (rank === TITLE_EQUALS) return [create(createTitleRows(equals))];
  const fields = Math.max(1, rank - TITLE_STARTS);
  const match = { ...toTextMatch(filters)!, fields, exceptFields: fields - 1 };
  const termRows = adapter.createTermRows(match);
  const conditions = rank === TITLE_STARTS ? [starts, negate(equals)] : rank === TITLE_CONTAINS ? [negate(starts)] : [];
  const indexed = { ...create(termRows, ...conditions), ...checkFields(match, adapter) };
  if (rank === TITLE_STARTS) {
    const few = { ...create(createFewTitleRows(starts), negate(equals)), check: checkTitles(starts, adapter) };
    return [few, termRows.read === 'in lists' ? indexed : create(WHOLE_MAP, ...conditions)];
  }
  if (termRows.read === 'in lists') return [indexed];
  const few = adapter.createFewTermSteps(match, adapter.limits.rowsToSort);
  const scan = { ...create(WHOLE_MAP, adapter.buildTermCondition(match), ...conditions), batchLimit: 1 };
  return [...few.map((step) => ({ ...step, ...create(step.rows, ...conditions) })), scan, indexed];
}

/**
 * Reading rank by rank reads the index of every word for every rank. So with more words, ranking
 * more rows takes the same time. `bench/README.md`: text, three common words.
 */
function getRowsToRank({ terms }: MarkerFilters, { limits }: SearchAdapter): number {
  return new Set(terms).size > 2 ? Math.ceil(1.5 * limits.rowsToRank) : limits.rowsToRank;
}

/** SQL expression for the rank of the row `s`, which contains all terms. */
function buildRank(filters: MarkerFilters, adapter: SearchAdapter): SqlFragment {
  const [equals, starts] = [buildTitleEquals(filters.terms!), buildTitleStarts(filters.terms!)];
  const fieldCount = adapter.buildFieldCount(toTextMatch(filters)!);
  return {
    sql: `CASE WHEN ${equals.sql} THEN ${TITLE_EQUALS} WHEN ${starts.sql} THEN ${TITLE_STARTS}
      ELSE ${TITLE_STARTS} + ${fieldCount.sql} END`,
    parameters: { ...starts.parameters, ...fieldCount.parameters },
  };
}

/**
 * Returns steps that read few rows: those with the terms, one of the facets, or in the areas.
 * @param termLimit from this number on, rows with the terms are many
 */
function createSelectiveSteps(
  filters: MarkerFilters,
  adapter: SearchAdapter,
  termLimit = adapter.limits.rowsToSort,
): ReadStep[] {
  const match = toTextMatch(filters);
  const terms = match ? adapter.createFewTermSteps(match, termLimit) : [];
  const facets = toFacetGroups(filters).map((group): ReadStep => {
    const { sql, parameters } = selectByFacets(group);
    const rows = adapter.createSortedRows({ sql: `SELECT DISTINCT row_number FROM (${sql}) f`, parameters });
    const check = { rows: { sql, parameters }, by: 'count', below: adapter.limits.rowsToSort } as const;
    return { ...createStep(rows, filters, adapter), check };
  });
  const areas = getSearchAreas(filters) ? [createAreaStep(filters, adapter)] : [];
  return [...terms.map((step) => ({ ...step, ...createStep(step.rows, filters, adapter) })), ...facets, ...areas];
}

/** Returns the step that reads the rows of the areas if they are few. */
function createAreaStep(filters: MarkerFilters, adapter: SearchAdapter): ReadStep {
  const rows = adapter.createSortedRows(adapter.selectInAreas(getSearchAreas(filters)!), 'areas');
  return { ...createStep(rows, filters, adapter), check: checkAreas(filters, adapter, 'rowsToSort') };
}

/** Returns all rows of the areas, for several statements. */
function createAreaStrips(filters: MarkerFilters, adapter: SearchAdapter): CandidateRows {
  const strips = splitAreas(getSearchAreas(filters)!, adapter.limits.areaStrips);
  return createRows(
    strips.map((areas) => adapter.selectInAreas(areas)),
    'areas',
  );
}

/** Returns the rows of the whole map, or those with a facet. */
function createScannedRows(filters: MarkerFilters): CandidateRows {
  const [group] = toFacetGroups(filters);
  return group ? createFacetRows(group) : WHOLE_MAP;
}

/** Returns the step that reads rows, with the conditions that the rows do not fulfill. */
function createStep(rows: CandidateRows, filters: MarkerFilters, adapter: SearchAdapter): ReadStep {
  const { areas: _, near: __, ...withoutAreas } = filters;
  const match = toTextMatch(filters);
  const terms = match && rows.fulfilledFilter !== 'terms' ? [adapter.buildTermCondition(match)] : [];
  const conditions = buildConditions(rows.fulfilledFilter === 'areas' ? withoutAreas : filters);
  return { rows, conditions: [...conditions, ...terms] };
}

/** Without a page to fill, one step reads all rows. */
function withoutBatchLimit(steps: ReadStep[]): ReadStep[] {
  return steps.filter(({ batchLimit }) => batchLimit === undefined);
}

/** Returns the match of the terms in all fields; undefined without terms. */
function toTextMatch({ terms, lastWords }: MarkerFilters): TextMatch | undefined {
  return terms && { terms, ...(lastWords && { lastWords }), fields: TEXT_FIELD_COUNT };
}

function checkAreas(
  filters: MarkerFilters,
  adapter: SearchAdapter,
  limit: 'rowsToSort' | 'rowsToSortAfterScan',
): RowCheck {
  return { rows: adapter.selectInAreas(getSearchAreas(filters)!), by: 'count', below: adapter.limits[limit] };
}

function checkTitles({ sql, parameters }: SqlFragment, { textCheck, limits }: SearchAdapter): RowCheck {
  const rows = { sql: `SELECT s.row_number FROM marker_search s WHERE ${sql}`, parameters };
  return { rows, by: textCheck, below: limits.rowsToSort };
}

/**
 * Whether a row has the terms in the first fields; otherwise, none has them if fields are excluded.
 * FTS5 needs longer to exclude fields than to find the terms. On PostgreSQL the check would take as
 * long as the search. `bench/README.md`: text, word of descriptions only.
 */
function checkFields(match: TextMatch, adapter: SearchAdapter): Pick<ReadStep, 'check'> {
  const rows = adapter.createTermRows({ ...match, exceptFields: 0 });
  return rows.read === 'in lists' ? { check: { rows: rows.numbers, by: 'count', atLeast: 1 } } : {};
}

function createTitleRows({ sql, parameters }: SqlFragment): CandidateRows {
  const from = `FROM marker_search s WHERE ${sql} AND s.row_number > :after AND s.row_number <= :until`;
  return {
    read: 'in batches',
    from: { sql: from, parameters },
    orderBy: 's.row_number',
    firstBatchSize: TITLE_BATCH_SIZE,
  };
}

function createFewTitleRows({ sql, parameters }: SqlFragment): CandidateRows {
  const from = { sql: `FROM marker_search s WHERE ${sql}`, parameters };
  return { read: 'at once', from: [from], orderBy: SORTED_BY_ROW_NUMBER };
}
