import { foldText } from '../../text-search/text-folding.js';
import { type Medium, MEDIUMS } from '../marker.entity.js';
import { type Area, toAreasAround } from '../../regions/geo.js';
import type { RowSource } from './row-source.js';
import type { MarkerFilters, SqlFragment } from './search.types.js';

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

/** Selects `seq` of the rows that have one of these facets, more than once if they have several. */
export function selectByFacets(facets: string[]): SqlFragment {
  return { sql: 'SELECT seq FROM marker_facets WHERE facet IN (:...driving)', parameters: { driving: facets } };
}

/** Returns the source of the rows that have one of these facets. */
export function createFacetSource(facets: string[]): RowSource {
  const { sql, parameters } = selectByFacets(facets);
  const inWindow = `${sql} AND seq > :after AND seq <= :until`;
  return {
    sql: `FROM (SELECT DISTINCT seq FROM (${inWindow}) f) d CROSS JOIN marker_search s WHERE s.seq = d.seq`,
    parameters,
    order: 'd.seq',
    firstWindow: 10_000,
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
      sql: `EXISTS (SELECT 1 FROM marker_facets f WHERE f.facet IN (:...facets${index}) AND f.seq = s.seq)`,
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
