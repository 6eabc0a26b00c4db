import { toTermPatterns } from '../text-search/search-terms.js';

/**
 * SQL expression for the rank of the row `artist`, which contains all terms:
 * - 0 if the name equals the terms
 * - 1 if the name starts with them
 * - 2 if the name contains them
 * - 3 if an alias is needed
 */
export function buildArtistRank(
  terms: string[],
  isPostgres: boolean,
): { sql: string; parameters: Record<string, string> } {
  const text = 'artist.search_text';
  const name = isPostgres ? `split_part(${text}, '|', 1)` : `substr(${text}, 1, instr(${text} || '|', '|') - 1)`;
  const find = isPostgres ? 'strpos' : 'instr';
  const phrase = ` ${terms.join(' ')}`;
  const patterns = Object.fromEntries(toTermPatterns(terms).map((pattern, index) => [`rankTerm${index}`, pattern]));
  const contains = Object.keys(patterns).map((term) => `${find}(${name}, :${term}) > 0`);
  const sql = `CASE WHEN ${name} = :exactName THEN 0 WHEN ${find}(${name}, :phrase) = 1 THEN 1
    WHEN ${contains.join(' AND ')} THEN 2 ELSE 3 END`;
  return { sql, parameters: { ...patterns, exactName: `${phrase} `, phrase } };
}
