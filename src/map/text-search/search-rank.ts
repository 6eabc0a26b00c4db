import { toTermPatterns } from './search-terms.js';

/**
 * How well words of `wordsOf`, whose first text is the name of a thing, fit a search: 4 where the name is what was
 * searched for, 3 where it begins with it, 2 where it holds all terms, 1 where it holds one, 0 where other texts do.
 */
export function computeRank(words: string, terms: string[]): number {
  const name = words.split('|', 1)[0]!.trimEnd() + ' ';
  const searched = ` ${terms.join(' ')}`;
  if (name === `${searched} `) return 4;
  if (name.startsWith(searched)) return 3;
  const found = toTermPatterns(terms).filter((pattern) => name.includes(pattern)).length;
  if (found === terms.length) return 2;
  return found > 0 ? 1 : 0;
}
