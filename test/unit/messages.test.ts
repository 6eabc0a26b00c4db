import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/scopes/catalogue.js';
import { LANGUAGES } from '../../src/words/language.js';
import { en } from '../../src/words/en.js';
import { fill } from '../../src/words/fill.js';

/** Sentences that are the same in two languages because the words are. */
const SAME = /^(Name|E-mail|Client secret|Pages|Description|\W*)$/;

type Sentences = [path: string, text: string][];

function sentencesOf(messages: object, path = ''): Sentences {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : sentencesOf(value as object, `${path}${key}.`),
  );
}

const placesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('The words of the pages', () => {
  const english = sentencesOf(en);

  it('say each scope in English as the spec does', () => {
    expect(en.scopes).toEqual(SCOPES);
    expect(english.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(LANGUAGES))('are all there in %s, with the same places to fill in', (_, messages) => {
    const translated = sentencesOf(messages);
    expect(translated.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
    const texts = new Map(translated);
    for (const [path, text] of english) {
      expect({ path, empty: texts.get(path)!.trim() === '' }).toEqual({ path, empty: false });
      expect({ path, places: placesIn(texts.get(path)!) }).toEqual({ path, places: placesIn(text) });
    }
  });

  it.each(Object.entries(LANGUAGES).filter(([language]) => language !== 'en'))(
    'were translated into %s, each of them',
    (_, messages) => {
      const texts = new Map(sentencesOf(messages));
      const left = english.filter(([path, text]) => texts.get(path) === text && !SAME.test(text));
      expect(left).toEqual([]);
    },
  );

  it('are filled in where they have places', () => {
    expect(fill('{a} and {b}, {a}', { a: 'x', b: 2 })).toBe('x and 2, x');
  });
});
