import { LOOKALIKES } from './lookalikes.js';

/** Length of a skeleton in the database. A decomposed name can be longer. */
export const MAX_SKELETON_LENGTH = 255;

/** Characters that a reader does not see, or that do not distinguish names. */
const IGNORED = /[\p{P}\p{Z}\p{C}\p{Me}\p{S}\u0307\u0332\u0334-\u0338\p{Default_Ignorable_Code_Point}]/gu;

const ASCII_BY_LOOKALIKE = new Map(
  Object.entries(LOOKALIKES).flatMap(([ascii, lookalikes]) =>
    [...lookalikes].map((character): [string, string] => [character, ascii]),
  ),
);

/**
 * Returns the skeleton of a name (UTS #39 §4): two names that look alike have the same one. Letter
 * case, spaces, punctuation and symbols do not count. `l`, `i` and `1` are the same, and so are `m`
 * and `rn`.
 */
export function computeNameSkeleton(name: string): string {
  // NFKD would turn a trademark sign into letters.
  const decomposed = name.replace(/[™℠]/g, '').normalize('NFKD');
  const folded = [...decomposed].map((character) => ASCII_BY_LOOKALIKE.get(character) ?? character.toLowerCase());
  const ascii = folded.join('').replace(/[i1|]/g, 'l').replace(/0/g, 'o').replace(/m/g, 'rn');
  // A name of punctuation or symbols alone is its own skeleton.
  return (ascii.replace(IGNORED, '') || decomposed).slice(0, MAX_SKELETON_LENGTH);
}
