import { describe, expect, it } from '@jest/globals';
import { findBrokenAppNameRule } from '../../src/identity/apps/app-name.js';

describe('Rules of app names', () => {
  it.each([
    'Mural Walk',
    'Café d’Arte 2.0 (beta)',
    'Straßenkunst-Führer',
    'Wall™ 🎨 & co',
    'Фрески Москвы',
    'Τοιχογραφίες',
    '壁画さんぽ・ガイド',
    '벽화 散策',
    'ציורי קיר',
    'दीवार चित्र',
    'نقاشی\u200cدیواری',
    'Flags 🏳️‍🌈',
    'Street maps of art',
  ])('allow %j', (name) => expect(findBrokenAppNameRule(name)).toBeUndefined());

  it.each([
    ['no visible character', ' \u200d '],
    ['more than 100 characters', 'x'.repeat(101)],
    ['a line break', 'Mural\nWalk'],
    ['a bidirectional override', 'Mural\u202eWalk'],
    ['a right-to-left mark', 'Mural\u200fWalk'],
    ['an Arabic letter mark', 'Mural\u061cWalk'],
    ['a prepended Arabic mark', 'Mural\u0600Walk'],
    ['a zero-width space', 'Mural\u200bWalk'],
    ['a soft hyphen', 'Mural\u00adWalk'],
    ['a grapheme joiner', 'Mural\u034fWalk'],
    ['a Hangul filler', 'Mural\u3164Walk'],
    ['a tag character', 'Mural\u{e0041}Walk'],
    ['stacked marks', `Mura${'\u0301'.repeat(4)}l`],
    ['marks stacked on a composed letter', `Café${'\u0302'.repeat(3)}`],
  ])('reject %s', (_, name) => expect(findBrokenAppNameRule(name)).toBe('nameInvalid'));

  it.each([
    ['a Cyrillic letter', 'WаllWalker'],
    ['a Greek letter', 'WαllWalker'],
    ['a Greek mark', 'Wall\u0345Walker'],
    ['a Cherokee letter', 'WallᎳalker'],
    ['a Coptic letter', 'WallWalkeⲅ'],
    ['a Han character', 'WallWalker 壁'],
    ['Cyrillic words', 'WallWalker Москва'],
    ['letters of a historic script', '𐊠𐊡𐊢'],
    ['Katakana and Hangul', 'ミュ벽'],
  ])('reject %s in a name of another script', (_, name) => expect(findBrokenAppNameRule(name)).toBe('nameScripts'));

  it.each([
    'Street art map',
    'Street art map Security',
    'Street art map – sign in',
    'The official street-art-map',
    'STREETARTMAP',
    'Strëet årt rnap',
    'Ⓢⓣⓡⓔⓔⓣ art map',
    'My Mapa de arte urbano',
    'Street-Art-Karte Hilfe',
  ])('reject %j, which contains the name of the service', (name) =>
    expect(findBrokenAppNameRule(name)).toBe('nameReserved'),
  );
});
