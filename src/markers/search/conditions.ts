import { fold } from '../../search/fold.js';
import { type Medium, MEDIUMS } from '../marker.entity.js';
import { type Area, areasAround } from './places.js';
import type { MarkerFilters, Piece } from './search.js';

/** What leads to a marker beside its place and words: its artists and tags. */
export const facetOf = {
  artist: (id: string): string => `artist:${id}`,
  tag: (tag: string): string => `tag:${fold(tag)}`,
};

/** Mediums as bits of one number. */
export function mediumBits(mediums: Medium[]): number {
  return mediums.reduce((bits, medium) => bits | (1 << MEDIUMS.indexOf(medium)), 0);
}

/** The groups of facets that are wanted: one of each group must be there. */
export function facetsOf({ artistId, tag }: MarkerFilters): string[][] {
  return [artistId?.map(facetOf.artist), tag?.map(facetOf.tag)].filter((group) => group !== undefined);
}

/** Selects `seq` of what has one of these facets. */
export function withFacets(facets: string[]): Piece {
  return {
    sql: 'SELECT DISTINCT seq FROM marker_facets WHERE facet IN (:...driving)',
    parameters: { driving: facets },
  };
}

/** The area that a search is within, if any. */
export function areasOfSearch({ areas, near }: MarkerFilters): Area[] | undefined {
  return areas ?? (near && areasAround(near, near.radius));
}

/** What the row `s` must fulfil, beside its words. */
export function conditionsOf(filters: MarkerFilters): Piece[] {
  const { kind, status, placeType, medium, regionId, yearFrom, yearTo, updatedSince } = filters;
  const areas = areasOfSearch(filters);
  const pieces: (Piece | undefined)[] = [
    { sql: 's.live', parameters: {} },
    oneOf('kind', kind),
    oneOf('status', status),
    oneOf('place_type', placeType),
    oneOf('region_id', regionId),
    medium && { sql: '(s.medium_bits & :bits) <> 0', parameters: { bits: mediumBits(medium) } },
    yearFrom === undefined ? undefined : { sql: 's.year >= :yearFrom', parameters: { yearFrom } },
    yearTo === undefined ? undefined : { sql: 's.year <= :yearTo', parameters: { yearTo } },
    updatedSince && { sql: 's.updated_at >= :since', parameters: { since: updatedSince.getTime() } },
    areas && within(areas),
    ...facetsOf(filters).map((facets, at) => ({
      sql: `EXISTS (SELECT 1 FROM marker_facets f WHERE f.facet IN (:...facets${at}) AND f.seq = s.seq)`,
      parameters: { [`facets${at}`]: facets },
    })),
  ];
  return pieces.filter((piece) => piece !== undefined);
}

function oneOf(column: string, values: string[] | undefined): Piece | undefined {
  return values && { sql: `s.${column} IN (:...${column})`, parameters: { [column]: values } };
}

/** Whether the row `s` lies in areas. */
export function within(areas: Area[]): Piece {
  const { south, north } = areas[0]!;
  const sides = areas.map((_, at) => `s.lon_e7 BETWEEN :west${at} AND :east${at}`).join(' OR ');
  const parameters = { south, north, ...boundsOf(areas) };
  return { sql: `s.lat_e7 BETWEEN :south AND :north AND (${sides})`, parameters };
}

/** `west0`, `east0`, `west1`, `east1`: the bounds of areas, which have their south and north in common. */
export function boundsOf(areas: Area[]): Record<string, number> {
  return Object.fromEntries(
    areas.flatMap(({ west, east }, at) => [
      [`west${at}`, west],
      [`east${at}`, east],
    ]),
  );
}
