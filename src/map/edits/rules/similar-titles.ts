import { foldText, tokenize } from '../../text-search/text-folding.js';

/** Letters from which a title can have a typing error. */
const MIN_LENGTH = 4;

/**
 * Whether two titles are nearly the same: equal without case, accents, spaces and punctuation,
 * except for one letter that is wrong, missing, added or swapped with the next one. Another number
 * or another Chinese character is another title.
 */
export function areTitlesSimilar(one: string, other: string): boolean {
  const [a, b] = [toLetters(one), toLetters(other)];
  if (toExactLetters(a) !== toExactLetters(b)) return false;
  if (a.length < b.length) return isNearly(b, a);
  return isNearly(a, b);
}

function toLetters(title: string): string[] {
  const terms = tokenize(title).join('').replaceAll(' ', '');
  return [...(terms || foldText(title).trim())];
}

/** Returns the letters in which no typing error is tolerated. */
function toExactLetters(letters: string[]): string {
  return letters.filter((letter) => /[\p{N}\p{Script=Han}]/u.test(letter)).join('');
}

/** @param shorter not longer than `longer` */
function isNearly(longer: string[], shorter: string[]): boolean {
  const start = longer.findIndex((letter, index) => letter !== shorter[index]);
  if (start < 0) return true;
  if (longer.length < MIN_LENGTH) return false;
  const rest = (letters: string[], from: number): string => letters.slice(from).join('');
  if (longer.length > shorter.length) return rest(longer, start + 1) === rest(shorter, start);
  const isSwapped = longer[start] === shorter[start + 1] && longer[start + 1] === shorter[start];
  return (
    rest(longer, start + 1) === rest(shorter, start + 1) ||
    (isSwapped && rest(longer, start + 2) === rest(shorter, start + 2))
  );
}
