import { toTermPatterns } from './search-terms.js';

/**
 * Ranks a search text from `toSearchText`, whose first part is the name:
 * - 4 if the name equals the terms
 * - 3 if the name starts with the terms
 * - 2 if the name contains all terms
 * - 1 if the name contains one term
 * - 0 otherwise
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
