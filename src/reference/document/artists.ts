import type { ArtistResponse } from '../../artists/artist.dto.js';
import { ArtistsController } from '../../artists/artists.controller.js';
import { ArtistsQuery } from '../../artists/artists-query.dto.js';
import { gone, notFound } from '../../http/api-error.js';
import { ArtistArtworksController } from '../../markers/artist-artworks.controller.js';
import { ArtistArtworksQuery } from '../../markers/markers-query.dto.js';
import { describe } from './describe.js';
import { VERSION } from './history.js';
import { ARTWORK_SUMMARY, GEOJSON } from './map-schemas.js';
import { pageOf, pageOrIds, PAGING } from './paging.js';
import { idOf, listOf, moment, nullable, record, type Schema, text, whole } from './schema.js';
import { query } from './validated.js';

query(ArtistsQuery, {
  ...PAGING,
  q: ['Words of names and aliases; the last may be the beginning of one.', 'hekig'],
  country: ['Where they come from (ISO 3166-1).', ['JP']],
  ids: ['These, in this order; those that are none are in `missing`. No other filter goes with it.', ['art_unknown']],
  updatedSince: ['Changed at this moment or later.', '2026-11-20T08:00:00Z'],
  sort: ['The order: by name unless said, `relevance` with `q`, `updatedAt` with `updatedSince`.', 'name'],
});
query(ArtistArtworksQuery, {
  ...PAGING,
  format: ['`geojson` for a FeatureCollection, as with `Accept: application/geo+json`.', 'json'],
  status: ['Whether they are still there.', ['present']],
});

const year = (description: string, example: number | null): Schema =>
  nullable({ type: 'integer', description, examples: [example] });

const ARTIST = record<ArtistResponse>('Artist', 'An artist, by the name they work under.', {
  id: idOf('art'),
  name: text('The name they work under.', '壁画社'),
  aliases: listOf(text('A name.', 'Hekigasha'), 'Other names.'),
  country: nullable(text('Where they come from (ISO 3166-1).', 'JP')),
  bio: nullable(text('What people say of them, in plain text.', 'Three painters from Nagoya.')),
  links: listOf(text('An address.', 'https://hekigasha.example/'), 'Where there is more about them.'),
  activeFrom: year('The first year of their work.', 1998),
  activeTo: year('The last.', null),
  artworkCount: whole('How many of their artworks are on the map.', 6),
  version: whole('Counts their changes, from 1.', 2, 1),
  createdAt: moment('When they came onto the map.'),
  updatedAt: moment('When they were changed last.'),
});

const SECTION = { tag: 'Artists', path: { id: idOf('art', 'The artist.') } };

describe(ArtistsController, SECTION, {
  list: {
    id: 'listArtists',
    summary: 'Search artists',
    description: 'Values of one filter are alternatives; all filters must hold.',
    answer: pageOrIds(ARTIST),
  },
  get: {
    id: 'getArtist',
    summary: 'Look up an artist',
    answer: ARTIST,
    refusals: [notFound('artist'), gone('artist')],
  },
  versions: {
    id: 'listArtistVersions',
    summary: 'Look at the history of an artist',
    description: 'The newest version first. What an operator brought in has no history until the first accepted edit.',
    answer: pageOf(VERSION),
    refusals: [notFound('artist'), gone('artist')],
  },
});

describe(ArtistArtworksController, SECTION, {
  list: {
    id: 'listArtworksOfArtist',
    summary: "List an artist's artworks",
    answer: pageOf(ARTWORK_SUMMARY),
    also: GEOJSON,
    refusals: [notFound('artist'), gone('artist')],
  },
});
