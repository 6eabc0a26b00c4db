import { idSchema } from '../../platform/database/id-schema.js';
import { pageOrIdsSchema, pageSchema } from '../../platform/database/page.dto.js';
import { createGoneError, createNotFoundError } from '../../platform/errors/request-errors.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { VersionResponse } from '../history/history.dto.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { GEOJSON_LIST } from './geojson/geojson.openapi.js';
import { ArtworkSummary, MarkerResponse } from './marker.dto.js';
import { createIncompleteCircleError } from './marker-errors.js';
import { MarkerClustersController } from './clusters/marker-clusters.controller.js';
import { MarkerClusters } from './clusters/marker-clusters.dto.js';
import { RegionResponse } from '../regions/region.dto.js';
import { RegionsController } from './regions.controller.js';
import { MarkersController } from './markers.controller.js';

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
      errors: [createIncompleteCircleError('radius')],
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
