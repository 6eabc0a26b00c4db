import { describe, expect, it } from '@jest/globals';
import { areasAround, areasOf, distanceBetween, isBox, type Place } from '../../src/markers/search/places.js';
import { fold, termsOf, wordsOf } from '../../src/search/fold.js';
import { rankOf } from '../../src/search/rank.js';
import { patternsOf, searchTerms } from '../../src/search/search-terms.js';

describe('What is searched for and searched in', () => {
  it('is folded to what a plain keyboard types', () => {
    const folded = ['Łódź', 'Straße', 'STRASSE', 'Muñoz', 'Ærø', 'Þórður', 'Œuvre', 'İstanbul', 'ılık', 'Đặng', 'ẞ'];
    expect(folded.map(fold)).toEqual([
      ...['lodz', 'strasse', 'strasse', 'munoz', 'aero', 'thordur', 'oeuvre', 'istanbul', 'ilik', 'dang', 'ss'],
    ]);
    expect(['ＡＢＣ', 'ﬁre', '①', 'Ǿ'].map(fold)).toEqual(['abc', 'fire', '1', 'o']);
    expect([fold('ΟΔΟΣ'), fold('οδος'), fold('οδοσ')]).toEqual(['οδοσ', 'οδοσ', 'οδοσ']);
    expect(fold('Ёлка й')).toBe('елка и');
  });

  it('is the same whether marks are typed apart or not, and folded again stays as it is', () => {
    for (const text of ['Łódź', 'Đặng', 'Özge', '東京の壁画', 'ガラス', '벽화', 'ŉ', 'ǅ', 'ﬀ', 'Σας', 'ŁÆŒ']) {
      expect(fold(text.normalize('NFD'))).toBe(fold(text));
      expect(fold(fold(text))).toBe(fold(text));
    }
  });

  it('is put apart at all that is neither letter nor digit', () => {
    expect(termsOf(`Łódź, 2nd "wall" OR * -- o'clock; 🌊!`)).toEqual(['lodz', '2nd', 'wall', 'or', 'o', 'clock']);
    expect(termsOf('a_b%c|d')).toEqual(['a', 'b', 'c', 'd']);
    expect(termsOf(' "*_%🌊 ')).toEqual([]);
  });

  it('puts letters of unspaced scripts apart, and keeps their run together as one term', () => {
    expect(termsOf('東京の壁画')).toEqual(['東 京 の 壁 画']);
    expect(termsOf('Wall壁画2号')).toEqual(['wall', '壁 画', '2', '号']);
    expect(termsOf('壁 画')).toEqual(['壁', '画']);
    expect(termsOf('Стена 벽화')).toHaveLength(2);
  });

  it('keeps texts apart by a bar, and words by spaces', () => {
    expect(wordsOf('Echo Wall', null, 'a fox!')).toBe(' echo wall |  | a fox ');
    expect(wordsOf('壁', '画')).toBe(' 壁 | 画 ');
    expect(wordsOf('🌊')).toBe('  ');
  });

  it('takes eight terms at most, and refuses a search without any', () => {
    expect(searchTerms('1 2 3 4 5 6 7 8 9 10')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(() => searchTerms('"*" 🌊')).toThrow('q holds no letter or digit to search for.');
  });

  it('looks for whole words, but for the last, which may be the beginning of one', () => {
    expect(patternsOf(['echo', 'wal'])).toEqual([' echo ', ' wal']);
  });

  it('ranks what is called so first, then what begins so, holds all in its name, holds one, and holds none there', () => {
    const terms = ['echo', 'wall'];
    const names = ['Echo Wall', 'Echo Walls by night', 'Wall of echo, old wall', 'Old wall', 'A fox'];
    expect(names.map((name) => rankOf(wordsOf(name, 'echo wall'), terms))).toEqual([4, 3, 2, 1, 0]);
    expect(rankOf(wordsOf('Echoes'), ['echo'])).toBe(3);
    expect(rankOf(wordsOf('Echoes wall'), terms)).toBe(1);
    expect(rankOf(wordsOf('🌊', 'echo wall'), terms)).toBe(0);
    expect(rankOf(wordsOf('壁画'), ['壁 画'])).toBe(4);
  });
});

describe('Places of the search', () => {
  const at = (lat: number, lon: number): Place => ({ latE7: Math.round(lat * 1e7), lonE7: Math.round(lon * 1e7) });
  const holds = (center: Place, radius: number, { latE7, lonE7 }: Place): number =>
    areasAround(center, radius).filter(
      ({ west, south, east, north }) => west <= lonE7 && lonE7 <= east && south <= latE7 && latE7 <= north,
    ).length;

  it('takes a box apart where it crosses the 180th meridian', () => {
    expect(areasOf([4.8, 52, 5.2, 52.3])).toEqual([
      { west: 48_000_000, south: 520_000_000, east: 52_000_000, north: 523_000_000 },
    ]);
    const bounds = { south: -170_000_000, north: -160_000_000 };
    expect(areasOf([179, -17, -179, -16])).toEqual([
      { ...bounds, west: 1_790_000_000, east: 1_800_000_000 },
      { ...bounds, west: -1_800_000_000, east: -1_790_000_000 },
    ]);
    expect(areasOf([0.1 + 0.2, 0, 0.3, 0])).toHaveLength(2);
    expect(areasOf([5, 1, 5, 1])).toEqual([{ west: 5e7, south: 1e7, east: 5e7, north: 1e7 }]);
  });

  it('knows a box from what is none', () => {
    expect([isBox([-180, -90, 180, 90]), isBox([170, 0, -170, 0])]).toEqual([true, true]);
    const none = [[0, 1, 1, 0], [181, 0, 0, 1], [0, -91, 1, 0], [0, 0, 1, 91], [0, 0, 1], [0, 0, 1, NaN], 'box'];
    expect(none.filter(isBox)).toEqual([]);
  });

  it('measures along the surface, to the millimetre, the same in both directions', () => {
    expect(distanceBetween(at(52.1, 5), at(52.1, 5))).toBe(0);
    expect(distanceBetween(at(0, 0), at(0, 1))).toBeCloseTo(111_195.08, 1);
    expect(distanceBetween(at(0, 179.5), at(0, -179.5))).toBeCloseTo(111_195.08, 1);
    expect(distanceBetween(at(60, 0), at(60, 1)) / distanceBetween(at(0, 0), at(0, 1))).toBeCloseTo(0.5, 3);
    expect(distanceBetween(at(90, 12), at(90, -100))).toBe(0);
    expect(distanceBetween(at(-16.8, 180), at(-16.8, -180))).toBe(0);
    expect(distanceBetween(at(0, 0), at(0, 180))).toBeCloseTo(Math.PI * 6_371_008.8, 0);
    expect(distanceBetween(at(69.6, 18), at(69.7, 19))).toBe(distanceBetween(at(69.7, 19), at(69.6, 18)));
  });

  it('looks around a place in areas that hold each place of the circle once', () => {
    const centers = [at(0, 0), at(52.1, 5), at(69.6, 18.9), at(-16.8, 179.999), at(-16.8, -180), at(0, 180)];
    centers.push(at(89.9, 10), at(-89.99, -170), at(90, 0), at(-90, 180), at(89.4, 179.9), at(88, -120));
    for (const center of centers) {
      for (const radius of [1, 250, 50_000]) {
        for (let turn = 0; turn < 64; turn++) {
          const edge = pointAt(center, radius, (turn * Math.PI) / 32);
          expect(distanceBetween(center, edge)).toBeGreaterThan(radius - 0.1);
          expect({ center, radius, edge, times: holds(center, radius, edge) }).toMatchObject({ times: 1 });
        }
        expect(holds(center, radius, center)).toBe(1);
      }
    }
  });

  it('looks all around a pole', () => {
    const [area, ...others] = areasAround(at(89.9, 10), 50_000);
    expect(others).toEqual([]);
    expect(area).toMatchObject({ west: -1_800_000_000, east: 1_800_000_000, north: 900_000_000 });
    expect(areasAround(at(-90, 0), 1)).toMatchObject([{ west: -1_800_000_000, east: 1_800_000_000, south: -9e8 }]);
  });
});

/** What lies so many metres from a place in a direction. */
function pointAt({ latE7, lonE7 }: Place, metres: number, bearing: number): Place {
  const [lat, lon, angle] = [(latE7 / 1e7) * (Math.PI / 180), (lonE7 / 1e7) * (Math.PI / 180), metres / 6_371_008.8];
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
