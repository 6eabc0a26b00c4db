import type { ArtistResponse } from '../../../map/artists/artist.dto.js';
import { ArtistsController } from '../../../map/artists/artists.controller.js';
import { ArtistsQuery } from '../../../map/artists/artists-query.dto.js';
import { gone, notFound } from '../../../platform/http/api-error.js';
import { ArtistArtworksController } from '../../../map/markers/artist-artworks.controller.js';
import { ArtistArtworksQuery } from '../../../map/markers/markers-query.dto.js';
import { describeOperations } from './describe-operations.js';
import { VERSION } from './history.openapi.js';
import { ARTWORK_SUMMARY, GEOJSON_CONTENT } from './marker-responses.openapi.js';
import { pageSchema, pageOrIdsSchema, PAGE_QUERY_FIELDS } from './page.openapi.js';
import {
  idSchema,
  arraySchema,
  dateTimeSchema,
  nullable,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';
import { describeQuery } from './validation-schema.js';

describeQuery(ArtistsQuery, {
  ...PAGE_QUERY_FIELDS,
  q: ['Words of names and aliases; the last may be the beginning of one.', 'hekig'],
  country: ['Where they come from (ISO 3166-1).', ['JP']],
  ids: ['These, in this order; those that are none are in `missing`. No other filter goes with it.', ['art_unknown']],
  updatedSince: ['Changed at this moment or later.', '2026-11-20T08:00:00Z'],
  sort: ['The order: by name unless said, `relevance` with `q`, `updatedAt` with `updatedSince`.', 'name'],
});
describeQuery(ArtistArtworksQuery, {
  ...PAGE_QUERY_FIELDS,
  format: ['`geojson` for a FeatureCollection, as with `Accept: application/geo+json`.', 'json'],
  status: ['Whether they are still there.', ['present']],
});

const yearSchema = (description: string, example: number | null): JsonSchema =>
  nullable({ type: 'integer', description, examples: [example] });

const ARTIST = registerObjectSchema<ArtistResponse>('Artist', 'An artist, by the name they work under.', {
  id: idSchema('art'),
  name: stringSchema('The name they work under.', '壁画社'),
  aliases: arraySchema(stringSchema('A name.', 'Hekigasha'), 'Other names.'),
  country: nullable(stringSchema('Where they come from (ISO 3166-1).', 'JP')),
  bio: nullable(stringSchema('What people say of them, in plain text.', 'Three painters from Nagoya.')),
  links: arraySchema(stringSchema('An address.', 'https://hekigasha.example/'), 'Where there is more about them.'),
  activeFrom: yearSchema('The first year of their work.', 1998),
  activeTo: yearSchema('The last.', null),
  artworkCount: integerSchema('How many of their artworks are on the map.', 6),
  version: integerSchema('Counts their changes, from 1.', 2, 1),
  createdAt: dateTimeSchema('When they came onto the map.'),
  updatedAt: dateTimeSchema('When they were changed last.'),
});

const ARTISTS_CONTROLLER_DESCRIPTION = { tag: 'Artists', pathParams: { id: idSchema('art', 'The artist.') } };

describeOperations(ArtistsController, ARTISTS_CONTROLLER_DESCRIPTION, {
  list: {
    operationId: 'listArtists',
    summary: 'Search artists',
    description: 'Values of one filter are alternatives; all filters must hold.',
    response: pageOrIdsSchema(ARTIST),
  },
  get: {
    operationId: 'getArtist',
    summary: 'Look up an artist',
    response: ARTIST,
    errors: [notFound('artist'), gone('artist')],
  },
  listVersions: {
    operationId: 'listArtistVersions',
    summary: 'Look at the history of an artist',
    description: 'The newest version first. What an operator brought in has no history until the first accepted edit.',
    response: pageSchema(VERSION),
    errors: [notFound('artist'), gone('artist')],
  },
});

describeOperations(ArtistArtworksController, ARTISTS_CONTROLLER_DESCRIPTION, {
  list: {
    operationId: 'listArtworksOfArtist',
    summary: "List an artist's artworks",
    response: pageSchema(ARTWORK_SUMMARY),
    alternativeContent: GEOJSON_CONTENT,
    errors: [notFound('artist'), gone('artist')],
  },
});
