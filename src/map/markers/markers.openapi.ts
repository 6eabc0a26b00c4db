import { idSchema } from '../../platform/database/ids.js';
import { pageOrIdsSchema, pageSchema } from '../../platform/database/page.dto.js';
import { createGoneError, createNotFoundError } from '../../platform/errors/request-errors.js';
import { describeApi, type OperationDescription } from '../../platform/openapi/api-description.js';
import { VersionResponse } from '../history/history.dto.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { ArtworkSummary, MarkerResponse } from './marker.dto.js';
import { createIncompleteCircleError } from './marker-errors.js';
import { MarkerClustersController } from './clusters/marker-clusters.controller.js';
import { MarkerClusters } from './clusters/marker-clusters.dto.js';
import { RegionResponse } from '../regions/region.dto.js';
import { RegionsController } from './regions.controller.js';
import { MarkerChangesController, MarkersController } from './markers.controller.js';
import { createTooManyWordsError } from '../text-search/search-terms.js';
import { changePageSchema } from '../changes/change-page.dto.js';
import { createInvalidSyncTokenError, createSyncTokenExpiredError } from '../changes/sync-tokens.service.js';
import { MarkerChange } from './changes/marker-change.dto.js';
import { enumSchema } from '../../platform/openapi/json-schema.js';
import { FeatureCollection, GEOJSON_MEDIA_TYPE } from './geojson/feature-collection.dto.js';

/**
 * Describes a list that is also available as GeoJSON. The operation describes its JSON only: with
 * two media types at one status, a client of `openapi-fetch` would have to narrow each response.
 */
export const GEOJSON_LIST: Pick<OperationDescription, 'query' | 'geoJson'> = {
  query: {
    format: {
      schema: enumSchema(
        ['json'],
        'Format of the response. The default is `json`, unless the header `Accept` prefers GeoJSON. With `geojson`, or ' +
          `with \`Accept: ${GEOJSON_MEDIA_TYPE}\`, the response is \`#/components/responses/FeatureCollection\`.`,
      ),
    },
  },
  geoJson: { mediaType: GEOJSON_MEDIA_TYPE, response: FeatureCollection },
};

/** The OpenAPI description of the markers API. */
export const MARKERS_API = describeApi(
  MarkersController,
  { kind: 'resource', tag: 'Markers', pathParams: { id: idSchema('mrk', 'Id of the marker.') } },
  {
    list: {
      operationId: 'listMarkers',
      summary: 'List markers',
      description:
        'Searches the artworks and places of the map. A marker must match all filters. Several values of one filter ' +
        'are alternatives.',
      response: pageOrIdsSchema(MarkerResponse, 'mrk_unknown'),
      ...GEOJSON_LIST,
      errors: [createIncompleteCircleError('radius'), createTooManyWordsError()],
    },
    get: {
      operationId: 'getMarker',
      summary: 'Get a marker',
      description: 'Returns an artwork or a place.',
      response: MarkerResponse,
      errors: [createNotFoundError('marker'), createGoneError('marker')],
    },
    listVersions: {
      operationId: 'listMarkerVersions',
      summary: 'List the versions of a marker',
      description:
        'Returns the versions, newest first, also of a deleted marker. An imported marker has no versions until an edit is accepted.',
      response: pageSchema(VersionResponse),
      errors: [createNotFoundError('marker')],
    },
  },
);

/** The OpenAPI description of the clusters of markers. */
export const MARKER_CLUSTERS_API = describeApi(
  MarkerClustersController,
  { kind: 'resource', tag: 'Markers' },
  {
    list: {
      operationId: 'listMarkerClusters',
      summary: 'List clusters of markers',
      description:
        'Groups the markers of a box by cells of the map, with the filters of the list of markers. Each matching ' +
        'marker is in one cell. There are at most 2,000 cells: if there were more, cells are larger than the zoom level ' +
        'requires. In a box with more than 5,000 markers, cells are at least 0.0066 degrees wide.',
      response: MarkerClusters,
      errors: [createTooManyWordsError()],
    },
  },
);

/** The OpenAPI description of the regions. */
export const REGIONS_API = describeApi(
  RegionsController,
  { kind: 'resource', tag: 'Markers' },
  {
    list: {
      operationId: 'listRegions',
      summary: 'List regions',
      description: 'Returns the regions of the map by name, with the number of their artworks and places.',
      response: pageSchema(RegionResponse),
    },
  },
);

/** The OpenAPI description of the artworks of an artist. */
export const ARTIST_ARTWORKS_API = describeApi(
  ArtistArtworksController,
  { kind: 'resource', tag: 'Artists', pathParams: { id: idSchema('art', 'Id of the artist.') } },
  {
    list: {
      operationId: 'listArtworksOfArtist',
      summary: 'List the artworks of an artist',
      description: 'Returns the main fields of the artworks.',
      response: pageSchema(ArtworkSummary),
      ...GEOJSON_LIST,
      errors: [createNotFoundError('artist'), createGoneError('artist')],
    },
  },
);

/** The OpenAPI description of the feed of changes of markers. */
export const MARKER_CHANGES_API = describeApi(
  MarkerChangesController,
  { kind: 'resource', tag: 'Markers' },
  {
    list: {
      operationId: 'listMarkerChanges',
      summary: 'List the changes of markers',
      description:
        'Returns the artworks and places that were created, changed, deleted or restored since the last request, so ' +
        'that an app keeps its own copy. Without `since`, it begins with all artworks and places. When an artist is ' +
        "renamed, the artist's artworks are returned with the same version and time.",
      response: changePageSchema(MarkerChange),
      errors: [createInvalidSyncTokenError(), createSyncTokenExpiredError()],
    },
  },
);
