import { defineMarker } from './demo-marker.js';

/**
 * Artworks of Nordlys Bay: far north, where a degree of longitude is a third as long as at the
 * equator.
 */
export const NORDLYS_BAY_ARTWORKS = [
  defineMarker('東京の壁画', 69.6492, 18.9553, {
    artistNames: ['壁画社'],
    year: 2020,
    medium: ['mural'],
    tags: ['city', '夜'],
    description: 'A street at night, with the lights of a far larger city in every window.',
    address: 'Kaigata 11, Nordlys Bay',
    imageUrl: 'https://images.example/tokyo-no-hekiga.jpg',
  }),
  defineMarker('Polar Night', 69.6531, 18.9612, {
    artistNames: ['Ansa Kettu', '壁画社'],
    year: 2011,
    medium: ['mosaic'],
    tags: ['fox', 'night', 'winter'],
    description: 'Black tiles in forty shades. The fox appears when a car goes past.',
    address: 'Underpass of the Mørketid Road, Nordlys Bay',
  }),
  defineMarker('Reven og nordlyset', 69.6418, 18.9277, {
    artistNames: ['Ansa Kettu'],
    year: 2016,
    medium: ['mural'],
    tags: ['fox', 'winter', 'aurora'],
    description: 'The tail of the fox is the northern light, and it goes around the corner.',
    address: 'Fjordgata 3, Nordlys Bay',
  }),
  defineMarker('Snjókorn nr. 1', 69.6604, 18.9839, {
    artistNames: ['Snælda'],
    year: 2018,
    medium: ['paste_up'],
    tags: ['snow', 'paper'],
    description: 'The first of a planned seven billion snowflakes.',
  }),
  defineMarker('Night Shift at the Fish Hall', 69.6467, 19.0124, {
    artistNames: ['Nattskift'],
    year: 2019,
    medium: ['lettering', 'installation'],
    tags: ['LED', 'light', 'letters'],
    description: 'The shift plan of a closed fish hall, in lights. On Fridays it still says who is late.',
    address: 'Bryggekanten 20, Nordlys Bay',
  }),
  defineMarker('Ski Rack Sonata', 69.6783, 18.8951, {
    artistNames: ['Nattskift', 'Snælda'],
    year: 2021,
    medium: ['installation'],
    tags: ['wool', 'sound', 'winter'],
    description: 'Skis hung by length and wrapped in wool. In a north wind they hum a fifth.',
  }),
  defineMarker('Three Foxes, One Scarf', 69.6375, 18.9716, {
    artistNames: ['Ansa Kettu'],
    year: 2012,
    medium: ['stencil'],
    tags: ['fox', 'winter', 'wool'],
    description: 'The scarf is repainted each November, always longer.',
    address: 'Skolebakken 6, Nordlys Bay',
  }),
  defineMarker('The Sun Is Expected in January', 69.6559, 18.9388, {
    artistNames: ['Ansa Kettu', 'Nattskift'],
    year: 2024,
    medium: ['mural', 'lettering'],
    tags: ['fox', 'light', 'sun'],
    description: 'A fox at a bus stop, and a timetable with one entry.',
    address: 'Solplassen, Nordlys Bay',
  }),
];
