/** Letters that Unicode does not decompose, and their replacements in plain letters. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ς: 'σ',
};
const REPLACED_LETTERS_PATTERN = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join('')}]`, 'gu');

/** A letter of a script without spaces between words, or an emoji. Each is treated as a word. */
const UNSPACED_CHARACTER = String.raw`(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]|[\p{ExtPict}\p{RI}])`;

/** Sequences of unspaced characters, or of other letters and digits. */
const TOKEN_PATTERN = new RegExp(String.raw`${UNSPACED_CHARACTER}+|(?:(?!${UNSPACED_CHARACTER})[\p{L}\p{N}])+`, 'gu');
const UNSPACED_START_PATTERN = new RegExp(`^${UNSPACED_CHARACTER}`, 'u');

/**
 * Folds a text for comparison: lower case, without diacritical marks, in plain letters, emoji
 * without skin tone.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{EMod}]+/gu, '')
    .toLowerCase()
    .replace(REPLACED_LETTERS_PATTERN, (letter) => LETTER_REPLACEMENTS[letter]!);
}

/**
 * Splits a text into folded terms. A term is a word, or a sequence of emoji and of letters of a
 * script without spaces, which are separated by spaces. `Łódź, 壁画!` becomes `lodz` and `壁 画`.
 */
export function tokenize(text: string): string[] {
  return (foldText(text).match(TOKEN_PATTERN) ?? []).map((run) =>
    UNSPACED_START_PATTERN.test(run) ? [...run].join(' ') : run,
  );
}

/**
 * Joins the terms of texts, with spaces around each word and `|` between two texts: ` echo wall | a
 * fox `. Skips texts without terms; returns an empty text if there are none.
 */
export function toSearchText(...texts: (string | null)[]): string {
  const parts = texts.map((text) => tokenize(text ?? '').join(' ')).filter((part) => part !== '');
  return parts.length > 0 ? ` ${parts.join(' | ')} ` : '';
}
