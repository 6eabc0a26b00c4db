import { toAreas, toPointE7 } from '../regions/geo.js';
import { parseSearchTerms } from '../text-search/search-terms.js';
import { createIncompleteCircleError, createInvalidCombinationError } from './marker-errors.js';
import type { MarkerFiltersQuery, MarkersQuery } from './markers-query.dto.js';
import type { MarkerFilters, MarkerSort } from './search/search-plan.js';

/** The parameters of a query that filter by location. */
type LocationFilters = Partial<Pick<MarkersQuery, 'bbox' | 'lat' | 'lon' | 'radius'>>;

/**
 * Translates a query to filters.
 * @throws DomainError `invalid` if parameters cannot be combined, or `q` has no terms or too many
 */
export function toFilters(query: MarkerFiltersQuery & LocationFilters): MarkerFilters {
  const { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince } = query;
  const columns = { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince };
  const terms = query.q === undefined ? undefined : parseSearchTerms(query.q);
  const areas = query.bbox && toAreas(query.bbox);
  const filters = { ...columns, terms, areas, near: toNearFilter(query) };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/**
 * Returns the requested order, or the default for the filters.
 * @throws DomainError `invalid` if a filter for it is missing
 */
export function resolveSort({ sort, q, bbox, lat, updatedSince }: MarkersQuery): MarkerSort {
  if (sort === 'distance' && lat === undefined)
    throw createInvalidCombinationError(
      'sort',
      'sort=distance requires lat, lon and radius. Add them or choose another order.',
    );
  if (sort === 'relevance' && q === undefined)
    throw createInvalidCombinationError('sort', 'sort=relevance requires q. Add q or choose another order.');
  if (lat !== undefined && (sort === 'id' || sort === 'updatedAt'))
    throw createInvalidCombinationError('sort', 'sort must be distance or relevance with lat, lon and radius.');
  if (sort) return sort;
  if (lat !== undefined) return 'distance';
  if (updatedSince) return 'updatedAt';
  return q !== undefined && !bbox ? 'relevance' : 'id';
}

function toNearFilter({ lat, lon, radius, bbox }: LocationFilters): MarkerFilters['near'] {
  const missing = Object.entries({ lat, lon, radius }).filter(([, value]) => value === undefined);
  if (missing.length === 3) return undefined;
  if (missing.length > 0) throw createIncompleteCircleError(missing[0]![0]);
  if (bbox)
    throw createInvalidCombinationError(
      'bbox',
      'bbox cannot be combined with lat, lon and radius. Remove bbox, or remove the other three.',
    );
  return { ...toPointE7({ lat: lat!, lon: lon! }), radius: radius! };
}
