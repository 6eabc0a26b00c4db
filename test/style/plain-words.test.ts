import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Longest line of prose, in characters. */
const MAX_PROSE_LENGTH = 100;

/** A line that cannot be wrapped: a table row, HTML, one link, or one quoted test title. */
const UNWRAPPABLE_LINE = /^[|<]|^\s*[-*]?\s*!?\[[^\]]*\]\([^)]*\)[.,]?$|^\s*"[^"]*",?$/;

/** Phrases that hide the actor, and metaphors for architecture. Each entry has its replacement. */
const BANNED_PHRASES: [phrase: RegExp, replacement: string][] = [
  [/\b(whoever|whomever|those who|that which)\b/i, 'the role: the client, the user, the operator'],
  [/\bwhatever\b/i, 'the condition'],
  [/\b(somebody|anybody|nobody)\b/i, 'the role: the client, the user, the attacker'],
  [/\bthe (house|gate|rooms?)\b/i, 'module, layer, package, folder, guard, endpoint'],
  [/\boftener\b/i, 'more often, at most'],
  [/\ball that (is|are|it|they|was|were|we)\b/i, 'everything, each, every'],
  [/\bin earnest\b/i, 'in production'],
  [/\bby (it|them)sel(f|ves) alone\b/i, 'itself, themselves'],
  [/\bwhere there is none\b/i, 'if there is none'],
  [/\b(mend|mended|mends|mending)\b/i, 'fix'],
];

/** One line of a file. */
interface Line {
  place: string;
  text: string;
}

/**
 * Checks comments, documents and test titles. It skips code, code spans in backticks, and string
 * literals: messages of pages, errors, commands and demo data are not prose about the code.
 */
describe('The language of the project', () => {
  it.each(BANNED_PHRASES)('avoids %s in favor of: %s', (phrase) => {
    const lines = [...listComments(), ...listProse(), ...listTestTitles()];
    expect(lines.filter(({ text }) => phrase.test(text.replace(/`[^`]*`/g, '')))).toEqual([]);
  });

  it('ends lines of prose by 100 characters', () => {
    const lines = [...listComments(), ...listProse()];
    expect(lines.filter(({ text }) => [...text].length > MAX_PROSE_LENGTH)).toEqual([]);
  });

  it('finds comments, documents and test titles', () => {
    for (const lines of [listComments(), listProse(), listTestTitles()]) expect(lines.length).toBeGreaterThan(200);
  });
});

/** Lists the lines that are comments, and the comments at the end of a line of code. */
function listComments(): Line[] {
  return listFiles('*.ts', '*.tsx', '*.js', '*.sh', '.ci/run').flatMap((file) =>
    readLines(file).flatMap(({ place, text }) => {
      if (/^\s*(\/\/|\/?\*|#)/.test(text)) return [{ place, text }];
      const comment = / \/\/ .*$/.exec(text)?.[0];
      return comment === undefined ? [] : [{ place, text: comment }];
    }),
  );
}

/** Lists the lines of all documents, except code blocks and lines that cannot be wrapped. */
function listProse(): Line[] {
  return listFiles('*.md').flatMap((file) => {
    let isCode = false;
    return readLines(file).filter(({ text }) => {
      if (/^\s*(```|~~~)/.test(text)) isCode = !isCode;
      return !isCode && !UNWRAPPABLE_LINE.test(text);
    });
  });
}

/** Lists the lines with the title of a test or of a group of tests. */
function listTestTitles(): Line[] {
  return listFiles('test/*.test.ts').flatMap((file) =>
    readLines(file).filter(({ text }) => /^\s*((it|describe)(\.\w+)*(\(.*\))?|[\])]+)\(['"`]/.test(text)),
  );
}

/** Lists the tracked files that match a pattern, except this test. */
function listFiles(...patterns: string[]): string[] {
  const files = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter((file) => !file.startsWith('test/style/'));
}

function readLines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }));
}
