import { toTermPatterns } from './search-terms.js';

/**
 * Ranks a search text from `toSearchText`, whose first part is the name, for a search:
 * 4 if the name equals the terms, 3 if it starts with them, 2 if it contains all of them, 1 if it contains one of
 * them, 0 if they are only in other parts.
 */
export function computeRank(searchText: string, terms: string[]): number {
  const name = searchText.split('|', 1)[0]!.trimEnd() + ' ';
  const phrase = ` ${terms.join(' ')}`;
  if (name === `${phrase} `) return 4;
  if (name.startsWith(phrase)) return 3;
  const matches = toTermPatterns(terms).filter((pattern) => name.includes(pattern)).length;
  if (matches === terms.length) return 2;
  return matches > 0 ? 1 : 0;
}
