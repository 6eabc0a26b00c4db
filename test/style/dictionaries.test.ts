import { describe, expect, it } from '@jest/globals';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';

const { de, en, es, fr, pt } = MESSAGES_BY_LANGUAGE;

const DICTIONARIES: [language: string, messages: object][] = [
  ['English', en],
  ['Spanish', es],
  ['French', fr],
  ['German', de],
  ['Portuguese', pt],
];

/** Words of another register or region, with the rule that they break. */
const BANNED_WORDS: [rule: string, messages: object, words: RegExp][] = [
  ['writes plain English', en, /(?<!\p{L})(one['’]s|shall|hereby|kindly|please be advised)(?!\p{L})/iu],
  ['addresses the Spanish reader as tú', es, /(?<!\p{L})(usted|ustedes|vosotros|vuestr[oa]s?)(?!\p{L})/iu],
  ['addresses the French reader as vous', fr, /(?<!\p{L})(tu|toi|ton|tes|quiconque)(?!\p{L})/iu],
  ['addresses the German reader as du', de, /[\p{Ll},] (Sie|Ihnen|Ihre[mnrs]?)(?!\p{L})/u],
  ['addresses the Portuguese reader as você', pt, /(?<!\p{L})(teu|teus|tua|tuas|vosso|vossa)(?!\p{L})/iu],
  [
    'writes Brazilian Portuguese',
    pt,
    /(?<!\p{L})(utilizador|palavra-passe|ecrã|partilh\p{L}+|ficheiro|aceder)(?!\p{L})/iu,
  ],
];

describe('The dictionaries of the pages', () => {
  it.each(BANNED_WORDS)('%s', (_, messages, words) => {
    expect(listMessages(messages).filter((message) => words.test(message))).toEqual([]);
  });

  it.each(DICTIONARIES)('use typographic apostrophes and ellipses in %s', (_, messages) => {
    expect(listMessages(messages).filter((message) => /'|\.\.\./.test(message))).toEqual([]);
  });

  it('never break a French line before a colon or inside quotation marks', () => {
    expect(listMessages(fr).filter((message) => / [:;?!»]|« /.test(message))).toEqual([]);
  });

  it.each(DICTIONARIES)('have sentences of at most 30 words in %s', (_, messages) => {
    const sentences = listMessages(messages).flatMap((message) => message.split(/(?<=[.?!:]) /));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 30)).toEqual([]);
  });
});

function listMessages(messages: object): string[] {
  return Object.values(messages).flatMap((value: string | object) =>
    typeof value === 'string' ? [value] : listMessages(value),
  );
}
