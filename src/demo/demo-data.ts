import type { Role } from '../accounts/account.entity.js';
import type { NewArtist } from '../artists/artists.service.js';
import type { Box } from '../markers/regions.service.js';
import type { NewMarker } from '../markers/markers.service.js';
import type { Scope } from '../scopes/catalogue.js';

/** Four cities that do not exist, each in a place where maps go wrong. */
export const REGIONS: [name: string, box: Box][] = [
  ['Halvenstad', [4.8, 52.0, 5.2, 52.3]],
  ['Null Harbour', [-0.2, -0.2, 0.2, 0.2]],
  ['Tavu Point', [179.8, -17.0, -179.8, -16.6]],
  ['Nordlys Bay', [18.5, 69.5, 19.5, 69.8]],
];

/** A person; their role holds in the regions named, or everywhere. */
export const PEOPLE: { username: string; name: string; role: Role; regions?: string[]; blocked?: string }[] = [
  { username: 'mila', name: 'Mila Vos', role: 'member' },
  { username: 'tomas', name: 'Tomáš Dvořák', role: 'trusted', regions: ['Halvenstad'] },
  { username: 'ines', name: 'Inês Prado', role: 'moderator' },
  { username: 'tevita', name: 'Tevita Lolo', role: 'moderator', regions: ['Tavu Point'] },
  { username: 'gus', name: 'Gus Hartley', role: 'member', blocked: 'Posted advertisements.' },
];

export const APPS: { name: string; description: string; redirectUris: string[]; scopes: Scope[] }[] = [
  {
    name: 'WallWalker',
    description: 'Walks from mural to mural, and keeps the ones you liked.',
    redirectUris: ['http://127.0.0.1:4000/callback'],
    scopes: [
      'openid',
      'profile',
      'markers:read',
      'artists:read',
      'collections:read',
      'collections:write',
      'edits:read',
      'edits:write',
    ],
  },
  {
    name: 'ReviewDesk',
    description: 'Goes through suggested changes with those who review them.',
    redirectUris: ['http://127.0.0.1:4001/callback'],
    scopes: ['edits:read', 'edits:review', 'markers:read', 'artists:read'],
  },
];

export const ARTISTS: NewArtist[] = [
  { name: 'Ansa Kettu', aliases: ['AK'], country: 'FI', bio: 'Foxes, always foxes.', activeFrom: 2009 },
  { name: 'Los Muñoz', country: 'MX', links: ['https://losmunoz.example/'] },
  { name: 'Łukasz z Łodzi', country: 'PL' },
  { name: '壁画社', country: 'JP', aliases: ['Hekigasha'] },
  { name: "O'Dwyer", country: 'IE' },
];

/** Works and places; artists by their place in `ARTISTS`. */
export const MARKERS: (NewMarker & { by?: number[] })[] = [
  {
    title: 'Echo Wall',
    by: [0],
    location: { lat: 52.1004, lon: 5.0121 },
    year: 2019,
    medium: ['mural'],
    tags: ['fox'],
  },
  {
    title: 'Große Straße, kleine Füchse',
    by: [0],
    location: { lat: 52.1071, lon: 5.0342 },
    year: 2021,
    medium: ['paste_up'],
  },
  { title: 'Łódź w oknie', by: [2], location: { lat: 52.0912, lon: 5.0007 }, status: 'damaged', medium: ['stencil'] },
  {
    title: 'Señal de Muñoz',
    by: [1],
    location: { lat: 52.1188, lon: 5.0533 },
    year: 2014,
    status: 'gone',
    medium: ['lettering'],
  },
  { title: 'Tall Tide 🌊', by: [4], location: { lat: 0.0003, lon: -0.0002 }, year: 2016, medium: ['mural'] },
  { title: 'Zero, Zero', by: [4, 1], location: { lat: 0, lon: 0 }, medium: ['installation'], tags: ['numbers'] },
  { title: 'Якорь', location: { lat: -0.0411, lon: 0.0287 }, year: 2018, medium: ['stencil'] },
  {
    title: 'Yesterday and Tomorrow',
    by: [3],
    location: { lat: -16.8003, lon: 179.9981 },
    year: 2022,
    medium: ['mural'],
  },
  { title: 'Tomorrow Already', by: [3], location: { lat: -16.8011, lon: -179.9976 }, year: 2022, medium: ['mural'] },
  { title: '東京の壁画', by: [3], location: { lat: 69.6492, lon: 18.9553 }, year: 2020, medium: ['mural'] },
  { title: 'Polar Night', by: [0, 3], location: { lat: 69.6531, lon: 18.9612 }, year: 2011, medium: ['mosaic'] },
  { title: 'The legal wall', placeType: 'legal_wall', location: { lat: 52.0987, lon: 5.0219 } },
  { title: 'Harbour Gallery', placeType: 'gallery', location: { lat: 0.0124, lon: 0.0099 } },
];
