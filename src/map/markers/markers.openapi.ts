import { idSchema } from '../../platform/database/id-schema.js';
import { pageOrIdsSchema, pageSchema } from '../../platform/database/page.dto.js';
import { createGoneError, createNotFoundError } from '../../platform/http/api-error.js';
import { describeApi } from '../../platform/openapi/api-description.js';
import { VersionResponse } from '../history/history.dto.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { GEOJSON_CONTENT } from './geojson/feature-collection.dto.js';
import { ArtworkSummary, MarkerResponse } from './marker.dto.js';
import { createIncompleteCircleError } from './marker-errors.js';
import { MarkersController } from './markers.controller.js';

/** The OpenAPI description of the markers API. */
export const MARKERS_API = describeApi(
  MarkersController,
  { kind: 'resource', tag: 'Markers', pathParams: { id: idSchema('mrk', 'The marker.') } },
  {
    list: {
      operationId: 'listMarkers',
      summary: 'Search the map',
      description: 'Values of one filter are alternatives; all filters must hold.',
      response: pageOrIdsSchema(MarkerResponse),
      alternativeContent: GEOJSON_CONTENT,
      errors: [createIncompleteCircleError('radius')],
    },
    get: {
      operationId: 'getMarker',
      summary: 'Look up an artwork or place',
      response: MarkerResponse,
      errors: [createNotFoundError('marker'), createGoneError('marker')],
    },
    listVersions: {
      operationId: 'listMarkerVersions',
      summary: 'Look at the history of an artwork',
      description:
        'The newest version first. What an operator brought in has no history until the first accepted edit.',
      response: pageSchema(VersionResponse),
      errors: [createNotFoundError('marker'), createGoneError('marker')],
    },
  },
);

/** The OpenAPI description of the artworks of an artist. */
export const ARTIST_ARTWORKS_API = describeApi(
  ArtistArtworksController,
  { kind: 'resource', tag: 'Artists', pathParams: { id: idSchema('art', 'The artist.') } },
  {
    list: {
      operationId: 'listArtworksOfArtist',
      summary: "List an artist's artworks",
      response: pageSchema(ArtworkSummary),
      alternativeContent: GEOJSON_CONTENT,
      errors: [createNotFoundError('artist'), createGoneError('artist')],
    },
  },
);
