import { describe, expect, it } from '@jest/globals';
import { describeScope } from '../../src/identity/scopes/scope-messages.js';
import { type Scope, SCOPES } from '../../src/identity/scopes/scopes.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { interpolate, interpolateCount } from '../../src/platform/i18n/interpolate.js';

/** Sentences that are equal in two languages. */
const UNTRANSLATED_PATTERN =
  /^(Name|Status|App|Links|Photos|E-mail|Client secret|Pages|Menu|Description|Passkeys: \{names\}|Error: \{title\}|\W*)$/;

type MessageEntries = [path: string, text: string][];

const describeScopes = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.keys(SCOPES).map((scope) => [scope, describeScope(scope as Scope, language, 'Walk')]));

function listMessages(messages: object, path = ''): MessageEntries {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : listMessages(value as object, `${path}${key}.`),
  );
}

const listPlaceholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('Messages', () => {
  const english = listMessages(MESSAGES_BY_LANGUAGE.en);

  it('describe each scope to the person in one sentence', () => {
    expect(describeScopes('en')).toEqual({
      openid: 'Your identity is known to Walk',
      profile: 'Your name, username and profile picture can be seen',
      email: 'Your e-mail address can be seen',
      'edits:read': 'Your suggested changes can be seen',
      'edits:write': 'Changes to artworks and artists can be suggested for you',
      'edits:review':
        'Changes by others can be accepted, rejected and undone, if you are allowed to. ' +
        'Only for apps that help people review',
      'collections:read': 'Your collections can be seen, private ones too',
      'collections:write': 'Collections can be created, changed and deleted, and artworks added to them',
      'markers:read': 'Artworks and other places on the map can be searched and looked up',
      'artists:read': 'Artists and their artworks can be searched and looked up',
    });
    expect(english.length).toBeGreaterThan(140);
  });

  it.each(Object.entries(MESSAGES_BY_LANGUAGE))('are complete in %s, with the same placeholders', (_, messages) => {
    const translated = listMessages(messages);
    expect(translated.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
    const texts = new Map(translated);
    for (const [path, text] of english) {
      expect({ path, empty: texts.get(path)!.trim() === '' }).toEqual({ path, empty: false });
      expect({ path, places: listPlaceholders(texts.get(path)!) }).toEqual({ path, places: listPlaceholders(text) });
    }
  });

  it.each(Object.entries(MESSAGES_BY_LANGUAGE).filter(([language]) => language !== 'en'))(
    'are all translated into %s',
    (language, messages) => {
      const texts = new Map(listMessages(messages));
      const remaining = english.filter(([path, text]) => texts.get(path) === text && !UNTRANSLATED_PATTERN.test(text));
      expect(remaining).toEqual([]);
      expect(describeScopes(language as Language)['openid']).toMatch(/^Walk /);
    },
  );

  it.each([
    ['en', 0, '0 artworks'],
    ['en', 1, '1 artwork'],
    ['fr', 0, '0 œuvre'],
    ['fr', 1, '1 œuvre'],
    ['fr', 2, '2 œuvres'],
    ['de', 1500, '1.500 Kunstwerke'],
  ] as const)('have the number of %s for %d', (language, count, text) => {
    const { artworksOne, artworksOther } = MESSAGES_BY_LANGUAGE[language].home;
    expect(interpolateCount(count, artworksOne, artworksOther, language)).toBe(text);
  });

  it.each(Object.entries(MESSAGES_BY_LANGUAGE))(
    'do not break e‑mail in the sentences of pages in %s',
    (_, messages) => {
      const isSentence = ([path, text]: [string, string]): boolean =>
        text.length > 60 && !/^(mail|scopes)\./.test(path);
      expect(listMessages(messages).filter((entry) => isSentence(entry) && /e-mail/i.test(entry[1]))).toEqual([]);
    },
  );

  it('are interpolated at their placeholders', () => {
    expect(interpolate('{a} and {b}, {a}', { a: 'x', b: 2 })).toBe('x and 2, x');
  });
});
