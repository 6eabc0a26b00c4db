import { foldText } from '../../text-search/text-folding.js';
import { type Medium, MEDIUMS } from '../marker.entity.js';
import { type Area, toAreasAround } from '../../regions/geo.js';
import type { MarkerFilters, SqlFragment } from './search.types.js';

/** What leads to a marker beside its place and words: its artists and tags. */
export const formatFacet = {
  artist: (id: string): string => `artist:${id}`,
  tag: (tag: string): string => `tag:${foldText(tag)}`,
};

/** Mediums as bits of one number. */
export function toMediumBits(mediums: Medium[]): number {
  return mediums.reduce((bits, medium) => bits | (1 << MEDIUMS.indexOf(medium)), 0);
}

/** The groups of facets that are wanted: one of each group must be there. */
export function toFacetGroups({ artistId, tag }: MarkerFilters): string[][] {
  return [artistId?.map(formatFacet.artist), tag?.map(formatFacet.tag)].filter((group) => group !== undefined);
}

/** Selects `seq` of what has one of these facets. */
export function selectByFacets(facets: string[]): SqlFragment {
  return {
    sql: 'SELECT DISTINCT seq FROM marker_facets WHERE facet IN (:...driving)',
    parameters: { driving: facets },
  };
}

/** The area that a search is within, if any. */
export function getSearchAreas({ areas, near }: MarkerFilters): Area[] | undefined {
  return areas ?? (near && toAreasAround(near, near.radius));
}

/** What the row `s` must fulfil, beside its words. */
export function buildConditions(filters: MarkerFilters): SqlFragment[] {
  const { kind, status, placeType, medium, regionId, yearFrom, yearTo, updatedSince } = filters;
  const areas = getSearchAreas(filters);
  const pieces: (SqlFragment | undefined)[] = [
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
    ...toFacetGroups(filters).map((facets, at) => ({
      sql: `EXISTS (SELECT 1 FROM marker_facets f WHERE f.facet IN (:...facets${at}) AND f.seq = s.seq)`,
      parameters: { [`facets${at}`]: facets },
    })),
  ];
  return pieces.filter((piece) => piece !== undefined);
}

function buildInCondition(column: string, values: string[] | undefined): SqlFragment | undefined {
  return values && { sql: `s.${column} IN (:...${column})`, parameters: { [column]: values } };
}

/** Whether the row `s` lies in areas. */
export function buildAreaCondition(areas: Area[]): SqlFragment {
  const { south, north } = areas[0]!;
  const sides = areas.map((_, at) => `s.lon_e7 BETWEEN :west${at} AND :east${at}`).join(' OR ');
  const parameters = { south, north, ...toAreaParameters(areas) };
  return { sql: `s.lat_e7 BETWEEN :south AND :north AND (${sides})`, parameters };
}

/** `west0`, `east0`, `west1`, `east1`: the bounds of areas, which have their south and north in common. */
export function toAreaParameters(areas: Area[]): Record<string, number> {
  return Object.fromEntries(
    areas.flatMap(({ west, east }, at) => [
      [`west${at}`, west],
      [`east${at}`, east],
    ]),
  );
}
