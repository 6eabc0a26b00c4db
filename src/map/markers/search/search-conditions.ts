import { foldText } from '../../text-search/text-folding.js';
import { type Medium, MEDIUMS } from '../marker.entity.js';
import { type Area, toAreasAround } from '../../regions/geo.js';
import {
  type CandidateRows,
  type MarkerFilters,
  MAX_ROW_NUMBER,
  type RowsAtOnce,
  SORTED_BY_ROW_NUMBER,
  type SqlFragment,
} from './search-plan.js';

/** Creates the index entries of artists and tags. */
export const formatFacet = {
  /** Entry of an artist. */
  artist: (id: string): string => `artist:${id}`,
  /** Entry of a tag, which is folded. */
  tag: (tag: string): string => `tag:${foldText(tag)}`,
};

/** Encodes mediums as bits of a number. */
export function toMediumBits(mediums: Medium[]): number {
  return mediums.reduce((bits, medium) => bits | (1 << MEDIUMS.indexOf(medium)), 0);
}

/** Returns the groups of facets of a search: a marker must have one facet of each group. */
export function toFacetGroups({ artistId, tag }: MarkerFilters): string[][] {
  return [artistId?.map(formatFacet.artist), tag?.map(formatFacet.tag)].filter((group) => group !== undefined);
}

/** Selects `row_number` of the rows that have one of these facets, once for each facet. */
export function selectByFacets(facets: string[]): SqlFragment {
  return { sql: 'SELECT row_number FROM marker_facets WHERE facet IN (:...driving)', parameters: { driving: facets } };
}

/** Returns the rows that have one of these facets. `bench/README.md`: one of three tags. */
export function createFacetRows(facets: string[]): CandidateRows {
  const { sql, parameters } = selectByFacets(facets);
  const inBatch = `${sql} AND row_number > :after AND row_number <= :until`;
  const from = `FROM (SELECT DISTINCT row_number FROM (${inBatch}) f) d CROSS JOIN marker_search s WHERE s.row_number = d.row_number`;
  return { read: 'in batches', from: { sql: from, parameters }, orderBy: 'd.row_number', firstBatchSize: 10_000 };
}

/** Returns the rows whose numbers queries select, in no order. */
export function createRows(
  numbers: SqlFragment[],
  fulfilledFilter?: CandidateRows['fulfilledFilter'],
): RowsAtOnce & CandidateRows {
  const from = numbers.map(({ sql, parameters }) => ({
    sql: `FROM (${sql}) d CROSS JOIN marker_search s WHERE s.row_number = d.row_number`,
    parameters,
  }));
  return { read: 'at once', from, orderBy: SORTED_BY_ROW_NUMBER, ...(fulfilledFilter && { fulfilledFilter }) };
}

/** Sorts the numbers of a query. Without LIMIT, a subquery would lose its order. */
export function sortNumbers({ sql, parameters }: SqlFragment): SqlFragment {
  return {
    sql: `SELECT row_number FROM (${sql}) i WHERE row_number > :after ORDER BY row_number LIMIT ${MAX_ROW_NUMBER}`,
    parameters,
  };
}

/** Returns the areas that contain all results; undefined if the search has no location. */
export function getSearchAreas({ areas, near }: MarkerFilters): Area[] | undefined {
  return areas ?? (near && toAreasAround(near, near.radius));
}

/** Splits areas into strips from south to north, which have no point in common. */
export function splitAreas(areas: Area[], count: number): Area[][] {
  const { south, north } = areas[0]!;
  const height = Math.ceil((north - south + 1) / count);
  const starts = Array.from({ length: count }, (_, index) => south + index * height).filter((from) => from <= north);
  return starts.map((from) =>
    areas.map((area) => ({ ...area, south: from, north: Math.min(from + height - 1, north) })),
  );
}

/** Returns the conditions on the row `s`, except for the search terms. */
export function buildConditions(filters: MarkerFilters): SqlFragment[] {
  const { kind, status, placeType, medium, regionId, yearFrom, yearTo, updatedSince } = filters;
  const areas = getSearchAreas(filters);
  const conditions: (SqlFragment | undefined)[] = [
    { sql: 's.live', parameters: {} },
    buildInCondition('kind', kind),
    buildInCondition('status', status),
    buildInCondition('place_type', placeType),
    buildInCondition('region_id', regionId),
    medium && { sql: '(s.medium_bits & :bits) <> 0', parameters: { bits: toMediumBits(medium) } },
    yearFrom === undefined ? undefined : { sql: 's.year >= :yearFrom', parameters: { yearFrom } },
    yearTo === undefined ? undefined : { sql: 's.year <= :yearTo', parameters: { yearTo } },
    updatedSince && { sql: 's.updated_at >= :since', parameters: { since: updatedSince.getTime() } },
    areas && buildAreaCondition(areas),
    ...toFacetGroups(filters).map((facets, index) => ({
      sql: `EXISTS (SELECT 1 FROM marker_facets f WHERE f.facet IN (:...facets${index}) AND f.row_number = s.row_number)`,
      parameters: { [`facets${index}`]: facets },
    })),
  ];
  return conditions.filter((condition) => condition !== undefined);
}

function buildInCondition(column: string, values: string[] | undefined): SqlFragment | undefined {
  return values && { sql: `s.${column} IN (:...${column})`, parameters: { [column]: values } };
}

/** Condition: the row `s` is in one of the areas. */
export function buildAreaCondition(areas: Area[]): SqlFragment {
  const { south, north } = areas[0]!;
  const sides = areas.map((_, index) => `s.lon_e7 BETWEEN :west${index} AND :east${index}`).join(' OR ');
  const parameters = { south, north, ...toAreaParameters(areas) };
  return { sql: `s.lat_e7 BETWEEN :south AND :north AND (${sides})`, parameters };
}

/**
 * Returns the parameters `west0`, `east0`, `west1`, `east1`. All areas have the same south and
 * north.
 */
export function toAreaParameters(areas: Area[]): Record<string, number> {
  return Object.fromEntries(
    areas.flatMap(({ west, east }, index) => [
      [`west${index}`, west],
      [`east${index}`, east],
    ]),
  );
}

/** Limit of the folded title in the index, in characters. */
const MAX_TITLE_KEY_LENGTH = 200;

/** Every text that starts with another text is less than the other text with this character. */
export const LAST_CHARACTER = '\u{10FFFF}';

/** Returns the folded title for the index, from the terms of the title or of a search. */
export function toTitleKey(terms: string[]): string {
  return [...terms.join(' ')].slice(0, MAX_TITLE_KEY_LENGTH).join('');
}

/** Condition: the title of the row `s` equals the terms. */
export function buildTitleEquals(terms: string[]): SqlFragment {
  return { sql: 's.title_key = :phrase', parameters: toTitleParameters(terms) };
}

/** Condition: the title of the row `s` starts with the terms. */
export function buildTitleStarts(terms: string[]): SqlFragment {
  return { sql: 's.title_key >= :phrase AND s.title_key < :phraseEnd', parameters: toTitleParameters(terms) };
}

function toTitleParameters(terms: string[]): Record<string, string> {
  const phrase = toTitleKey(terms);
  return { phrase, phraseEnd: phrase + LAST_CHARACTER };
}

/** Condition: the row does not fulfill a condition. */
export function negate({ sql, parameters }: SqlFragment): SqlFragment {
  return { sql: `NOT (${sql})`, parameters };
}
