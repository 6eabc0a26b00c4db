import { describe, expect, it } from '@jest/globals';
import { describeScope, getScopeHint } from '../../src/identity/scopes/scope-messages.js';
import { type Scope, SCOPES } from '../../src/identity/scopes/scopes.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { interpolate } from '../../src/platform/i18n/interpolate.js';

/** Sentences that are equal in two languages. */
const UNTRANSLATED_PATTERN =
  /^(Name|Status|App|Links|Photos|E-mail|Client secret|Pages|Menu|Description|Passkeys: \{names\}|Error: \{title\}|\W*)$/;

type MessageEntries = [path: string, text: string][];

const listScopeHints = (language: Language): string[] =>
  Object.keys(SCOPES).map((scope) => getScopeHint(scope as Scope, language));

const describeScopes = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.keys(SCOPES).map((scope) => [scope, describeScope(scope as Scope, language)]));

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

  it('have the English scope sentences of the spec', () => {
    expect(describeScopes('en')).toEqual(SCOPES);
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
      const scopes = Object.values(describeScopes(language as Language));
      expect(scopes.filter((meaning) => Object.values<string>(SCOPES).includes(meaning))).toEqual([]);
      const englishHints = listScopeHints('en');
      expect(listScopeHints(language as Language).filter((hint) => englishHints.includes(hint))).toEqual([]);
    },
  );

  it('are interpolated at their placeholders', () => {
    expect(interpolate('{a} and {b}, {a}', { a: 'x', b: 2 })).toBe('x and 2, x');
  });
});
