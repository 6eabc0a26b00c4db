import { describe, expect, it } from '@jest/globals';
import { areTitlesSimilar } from '../../src/map/edits/rules/similar-titles.js';

describe('Titles', () => {
  it.each([
    ['Two Herons', 'two herons'],
    ['Two Herons', 'Two-Herons!'],
    ['Łódź Café', 'Lodz cafe'],
    ['Two Herons', 'Two Heron'],
    ['Two Herons', 'Two Herrons'],
    ['Two Herons', 'Twe Herons'],
    ['Two Herons', 'Two Heorns'],
    ['Heron', 'eron'],
    ['壁画', '壁画'],
    ['🦊', '🦊'],
    ['!!!', '!!!'],
    ['A', 'a'],
  ])('%j and %j are nearly the same', (one, other) => {
    expect([areTitlesSimilar(one, other), areTitlesSimilar(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['Two Herons', 'Three Herons'],
    ['Two Herons', 'Two Hero'],
    ['Two Herons', 'Tow Heorns'],
    ['Fox', 'Box'],
    ['Mural 12', 'Mural 21'],
    ['Untitled 1', 'Untitled 2'],
    ['東京の壁', '東京の猫'],
    ['Fox', 'Foxy Lady'],
    ['Herons', 'snoreH'],
    ['!!!', '???'],
    ['Heron', ''],
    ['壁画', '壁'],
  ])('%j and %j are different', (one, other) => {
    expect([areTitlesSimilar(one, other), areTitlesSimilar(other, one)]).toEqual([false, false]);
  });
});
