import { describe, expect, it } from '@jest/globals';
import { listComments, listMessages, listProse, listTableRows, listTestTitles } from './prose.js';

/** Longest line of prose, in characters. */
const MAX_PROSE_LENGTH = 100;

/** Phrases that hide the actor, and metaphors for architecture. Each entry has its replacement. */
const BANNED_PHRASES: [phrase: RegExp, replacement: string][] = [
  [/\b(whoever|whomever|those who|that which)\b/i, 'the role: the client, the user, the operator'],
  [/\bwhatever\b/i, 'the condition'],
  [/\b(somebody|anybody|nobody)\b/i, 'the role: the client, the user, the attacker'],
  [/\bthe (house|gate|rooms?)\b/i, 'module, layer, package, folder, guard, endpoint'],
  [/\boftener\b/i, 'more often, at most'],
  [/\ball that\b/i, 'everything, each, every'],
  [/\bin earnest\b/i, 'in production'],
  [/\bby (it|them)sel(f|ves) alone\b/i, 'itself, themselves'],
  [/\bwhere there is none\b/i, 'if there is none'],
  [/\b(mend|mended|mends|mending)\b/i, 'fix'],
  [
    /^(what|who) (is|it|they|the|a|an|was|were|came|should|would|may|to)\b(?!.*\?)/i,
    'the noun: the id, the owner, the value',
  ],
  [/\b(of|for|by|with|from|at|than) what\b/i, 'the noun'],
  [
    /\b(colour|behaviour|neighbour|centre|metres?|grey|catalogue|licence|cancelled|honour|favourite)/i,
    'American spelling',
  ],
];

/** Code spans in backticks, and the names of API members in quotes, are not prose. */
const CODE_SPAN = /`[^`]*`/g;

const TEXTS = [...listComments(), ...listProse(), ...listTableRows(), ...listTestTitles(), ...listMessages()].map(
  ({ place, text }) => ({ place, text: text.replace(CODE_SPAN, '') }),
);

describe('The language of the project', () => {
  it.each(BANNED_PHRASES)('avoids %s in favor of: %s', (phrase) => {
    expect(TEXTS.filter(({ text }) => phrase.test(text))).toEqual([]);
  });

  it('ends lines of prose by 100 characters', () => {
    const lines = [...listComments(), ...listProse()];
    expect(lines.filter(({ text }) => [...text].length > MAX_PROSE_LENGTH)).toEqual([]);
  });

  it('finds comments, documents, tables, test titles and messages', () => {
    for (const texts of [listComments(), listProse(), listTableRows(), listTestTitles(), listMessages()])
      expect(texts.length).toBeGreaterThan(200);
  });
});
