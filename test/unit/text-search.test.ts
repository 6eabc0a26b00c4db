import { describe, expect, it } from '@jest/globals';
import {
  toAreasAround,
  toAreas,
  computeDistanceMeters,
  isBoundingBox,
  type PointE7,
} from '../../src/map/regions/geo.js';
import { foldText, tokenize, toSearchText } from '../../src/map/text-search/text-folding.js';
import { toTermPatterns, parseSearchTerms } from '../../src/map/text-search/search-terms.js';

describe('Text folding and search terms', () => {
  it('fold diacritics and case to ASCII', () => {
    const folded = ['Łódź', 'Straße', 'STRASSE', 'Muñoz', 'Ærø', 'Þórður', 'Œuvre', 'İstanbul', 'ılık', 'Đặng', 'ẞ'];
    expect(folded.map(foldText)).toEqual([
      ...['lodz', 'strasse', 'strasse', 'munoz', 'aero', 'thordur', 'oeuvre', 'istanbul', 'ilik', 'dang', 'ss'],
    ]);
    expect(['ＡＢＣ', 'ﬁre', '①', 'Ǿ'].map(foldText)).toEqual(['abc', 'fire', '1', 'o']);
    expect([foldText('ΟΔΟΣ'), foldText('οδος'), foldText('οδοσ')]).toEqual(['οδοσ', 'οδοσ', 'οδοσ']);
    expect(foldText('Ёлка й')).toBe('елка и');
  });

  it('fold composed and decomposed text alike, and fold twice to the same text', () => {
    for (const text of ['Łódź', 'Đặng', 'Özge', '東京の壁画', 'ガラス', '벽화', 'ŉ', 'ǅ', 'ﬀ', 'Σας', 'ŁÆŒ']) {
      expect(foldText(text.normalize('NFD'))).toBe(foldText(text));
      expect(foldText(foldText(text))).toBe(foldText(text));
    }
  });

  it('split at everything but letters and digits', () => {
    expect(tokenize(`Łódź, 2nd "wall" OR * -- o'clock; …!`)).toEqual(['lodz', '2nd', 'wall', 'or', 'o', 'clock']);
    expect(tokenize('a_b%c|d')).toEqual(['a', 'b', 'c', 'd']);
    expect(tokenize(' "*_%… ')).toEqual([]);
    expect(tokenize('🌊🦊 a👋🏽 🇫🇮')).toEqual(['🌊 🦊', 'a', '👋', '🇫 🇮']);
  });

  it('split scripts without spaces into letters, and keep their run as one term', () => {
    expect(tokenize('東京の壁画')).toEqual(['東 京 の 壁 画']);
    expect(tokenize('Wall壁画2号')).toEqual(['wall', '壁 画', '2', '号']);
    expect(tokenize('壁 画')).toEqual(['壁', '画']);
    expect(tokenize('Стена 벽화')).toHaveLength(2);
  });

  it('separate fields with a bar, and words with spaces', () => {
    expect(toSearchText('Echo Wall', null, '!', 'a fox!')).toBe(' echo wall | a fox ');
    expect(toSearchText('壁', '画')).toBe(' 壁 | 画 ');
    expect(toSearchText('…', null)).toBe('');
  });

  it('are 1 to 16', () => {
    const words = Array.from({ length: 16 }, (_, index) => `w${index}`);
    expect(parseSearchTerms(words.join('-'))).toEqual(words);
    expect(() => parseSearchTerms(`${words.join(' ')} x`)).toThrow('q must have at most 16 words');
    expect(() => parseSearchTerms('"*" …')).toThrow('q must contain a letter');
  });

  it('match whole words, and the last term as a prefix', () => {
    expect(toTermPatterns(['echo', 'wal'])).toEqual([' echo ', ' wal']);
  });
});

describe('Geographic areas', () => {
  const at = (lat: number, lon: number): PointE7 => ({ latE7: Math.round(lat * 1e7), lonE7: Math.round(lon * 1e7) });
  const contains = (center: PointE7, radius: number, { latE7, lonE7 }: PointE7): number =>
    toAreasAround(center, radius).filter(
      ({ west, south, east, north }) => west <= lonE7 && lonE7 <= east && south <= latE7 && latE7 <= north,
    ).length;

  it('split a box at the antimeridian', () => {
    expect(toAreas([4.8, 52, 5.2, 52.3])).toEqual([
      { west: 48_000_000, south: 520_000_000, east: 52_000_000, north: 523_000_000 },
    ]);
    const bounds = { south: -170_000_000, north: -160_000_000 };
    expect(toAreas([179, -17, -179, -16])).toEqual([
      { ...bounds, west: 1_790_000_000, east: 1_800_000_000 },
      { ...bounds, west: -1_800_000_000, east: -1_790_000_000 },
    ]);
    expect(toAreas([0.1 + 0.2, 0, 0.3, 0])).toHaveLength(2);
    expect(toAreas([5, 1, 5, 1])).toEqual([{ west: 5e7, south: 1e7, east: 5e7, north: 1e7 }]);
  });

  it('reject an invalid box', () => {
    expect([isBoundingBox([-180, -90, 180, 90]), isBoundingBox([170, 0, -170, 0])]).toEqual([true, true]);
    const none = [[0, 1, 1, 0], [181, 0, 0, 1], [0, -91, 1, 0], [0, 0, 1, 91], [0, 0, 1], [0, 0, 1, NaN], 'box'];
    expect(none.filter(isBoundingBox)).toEqual([]);
  });

  it('measure the distance on the sphere in millimeters, the same in both directions', () => {
    expect(computeDistanceMeters(at(52.1, 5), at(52.1, 5))).toBe(0);
    expect(computeDistanceMeters(at(0, 0), at(0, 1))).toBeCloseTo(111_195.08, 1);
    expect(computeDistanceMeters(at(0, 179.5), at(0, -179.5))).toBeCloseTo(111_195.08, 1);
    expect(computeDistanceMeters(at(60, 0), at(60, 1)) / computeDistanceMeters(at(0, 0), at(0, 1))).toBeCloseTo(0.5, 3);
    expect(computeDistanceMeters(at(90, 12), at(90, -100))).toBe(0);
    expect(computeDistanceMeters(at(-16.8, 180), at(-16.8, -180))).toBe(0);
    expect(computeDistanceMeters(at(0, 0), at(0, 180))).toBeCloseTo(Math.PI * 6_371_008.8, 0);
    expect(computeDistanceMeters(at(69.6, 18), at(69.7, 19))).toBe(computeDistanceMeters(at(69.7, 19), at(69.6, 18)));
  });

  it('cover a circle with areas that contain each place once', () => {
    const centers = [at(0, 0), at(52.1, 5), at(69.6, 18.9), at(-16.8, 179.999), at(-16.8, -180), at(0, 180)];
    centers.push(at(89.9, 10), at(-89.99, -170), at(90, 0), at(-90, 180), at(89.4, 179.9), at(88, -120));
    for (const center of centers) {
      for (const radius of [1, 250, 50_000]) {
        for (let turn = 0; turn < 64; turn++) {
          const edge = computeDestination(center, radius, (turn * Math.PI) / 32);
          expect(computeDistanceMeters(center, edge)).toBeGreaterThan(radius - 0.1);
          expect({ center, radius, edge, times: contains(center, radius, edge) }).toMatchObject({ times: 1 });
        }
        expect(contains(center, radius, center)).toBe(1);
      }
    }
  });

  it('cover a circle around a pole', () => {
    const [area, ...others] = toAreasAround(at(89.9, 10), 50_000);
    expect(others).toEqual([]);
    expect(area).toMatchObject({ west: -1_800_000_000, east: 1_800_000_000, north: 900_000_000 });
    expect(toAreasAround(at(-90, 0), 1)).toMatchObject([{ west: -1_800_000_000, east: 1_800_000_000, south: -9e8 }]);
  });
});

/** Returns the location at a distance in meters in a direction. */
function computeDestination({ latE7, lonE7 }: PointE7, meters: number, bearing: number): PointE7 {
  const [lat, lon, angle] = [(latE7 / 1e7) * (Math.PI / 180), (lonE7 / 1e7) * (Math.PI / 180), meters / 6_371_008.8];
  const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing);
  const turned = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sine,
  );
  const degrees = ((lon + turned) * 180) / Math.PI;
  const around = degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
  const high = (Math.asin(Math.max(-1, Math.min(1, sine))) * 180) / Math.PI;
  return { latE7: Math.round(high * 1e7), lonE7: Math.round(around * 1e7) };
}
