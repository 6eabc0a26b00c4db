import type { NewArtist } from '../../map/artists/artists.store.js';
import { buildDemoId } from './demo-id.js';

/** An artist of the demo. Only moderators can accept edits of a locked artist. */
export type DemoArtist = NewArtist & { id: string; locked?: true };

const artists: Omit<DemoArtist, 'id'>[] = [
  { name: 'Ansa Kettu', aliases: ['AK'], country: 'FI', bio: 'Foxes, always foxes.', activeFrom: 2009 },
  {
    name: 'Los Muñoz',
    country: 'MX',
    bio: 'Three siblings and one ladder. They sign with the initial of the one who held it.',
    links: ['https://losmunoz.example/'],
    activeFrom: 2005,
  },
  {
    name: 'Łukasz z Łodzi',
    aliases: ['Lukasz', 'ŁzŁ'],
    country: 'PL',
    bio: 'Cuts windows into walls that have none, with stencils of seven layers.',
    activeFrom: 2011,
  },
  {
    name: '壁画社',
    country: 'JP',
    aliases: ['Hekigasha'],
    bio: 'A company of mural painters that works at night and by request only.',
    links: ['https://hekigasha.example/'],
    activeFrom: 1998,
  },
  { name: "O'Dwyer", country: 'IE', bio: 'Sign painter by trade. The sea is a side job.', activeFrom: 2012 },
  {
    name: 'Weiße Leiter',
    aliases: ['Weisse Leiter', 'WL'],
    country: 'DE',
    bio: 'Pastes paper linen on blind walls. What the rain leaves is part of the work.',
    activeFrom: 2015,
    activeTo: 2023,
  },
  {
    name: 'Бригада Сугроб',
    aliases: ['Sugrob Brigade', 'Snowdrift Brigade'],
    country: 'KZ',
    bio: 'Birds in one color, the color of the wall next door.',
    activeFrom: 2013,
  },
  {
    name: 'Reef Ladder',
    country: 'TO',
    bio: 'Paints with the schools of Tavu Point, one more wall every year.',
    links: ['https://reefladder.example/', 'https://video.example/reefladder'],
    activeFrom: 2016,
  },
  { name: 'Snælda', aliases: ['Snaelda'], country: 'IS', bio: 'Knits for lamp posts.', activeFrom: 2010 },
  {
    name: 'The Tidewriters',
    aliases: ['Tidewriters', 'TW Crew', 'Os Escritores da Maré'],
    country: 'GH',
    bio: 'Letters as tall as the tide is high on the day they are painted.',
    activeFrom: 2007,
  },
  {
    name: 'Noor van Nergens',
    aliases: ['NvN'],
    country: 'NL',
    bio: 'Builds small things for large walls.',
    links: ['https://nergens.example/noor'],
    activeFrom: 2014,
  },
  {
    name: 'Zsófi Cserép',
    country: 'HU',
    bio: 'Mosaics from broken kitchens. Give her a plate and she will find it a place.',
    activeFrom: 2001,
  },
  { name: 'Anonymous Heron', bio: 'Works at night and unseen. The birds are always gray.' },
  { name: 'Nattskift', aliases: ['Night Shift', 'NS'], country: 'NO', bio: 'Writes with light.', activeFrom: 2017 },
  {
    name: 'Paper Harbour',
    country: 'GH',
    bio: 'A workshop at the docks that folds, ties and welds what ships leave behind.',
    activeFrom: 2003,
  },
  { name: 'Miss Placed', country: 'CA', bio: 'Known for a wall that has not been found yet.', activeFrom: 2018 },
  {
    name: 'Ruta Nueve',
    aliases: ['R9'],
    country: 'UY',
    bio: 'Painted the back walls of bus stations; every one has been rebuilt since.',
    activeFrom: 1986,
    activeTo: 1999,
  },
  { name: 'Two Left Gloves', aliases: ['2LG'], bio: 'Two friends who lost the same glove.', activeFrom: 2019 },
];

/**
 * Invented artists. Miss Placed and Ruta Nueve have no artworks on the map; Ansa Kettu has
 * fourteen.
 */
export const ARTISTS: DemoArtist[] = artists.map((artist, index) => ({ id: buildDemoId('art', index + 1), ...artist }));

/** Returns the id of an artist. @throws Error if the demo has no artist with this name */
export function findArtistId(name: string): string {
  const artist = ARTISTS.find((candidate) => candidate.name === name);
  if (!artist) throw new Error(`The demo has no artist ${name}.`);
  return artist.id;
}
