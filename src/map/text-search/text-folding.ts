/** Letters that Unicode does not take apart, and what people type for them. */
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

/** A letter of a script that is written without spaces: each is a word by itself. */
const UNSPACED_LETTER = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]`;

/** Runs of unspaced letters, or of any others. */
const TOKEN_PATTERN = new RegExp(String.raw`(?:${UNSPACED_LETTER})+|(?:(?!${UNSPACED_LETTER})[\p{L}\p{N}])+`, 'gu');
const UNSPACED_START_PATTERN = new RegExp(`^${UNSPACED_LETTER}`, 'u');

/** A text as it is compared: in lower case, without marks, its letters those that a plain keyboard has. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(REPLACED_LETTERS_PATTERN, (letter) => LETTER_REPLACEMENTS[letter]!);
}

/**
 * What is searched for or searched in, term by term: a word, or a run of letters that are written without spaces, put
 * apart by spaces. `Łódź, 壁画!` is `lodz` and `壁 画`.
 */
export function tokenize(text: string): string[] {
  return (foldText(text).match(TOKEN_PATTERN) ?? []).map((run) =>
    UNSPACED_START_PATTERN.test(run) ? [...run].join(' ') : run,
  );
}

/** The words of texts between spaces, with a `|` between two texts: ` echo wall | a fox `. */
export function toSearchText(...texts: (string | null)[]): string {
  return ` ${texts.map((text) => tokenize(text ?? '').join(' ')).join(' | ')} `;
}
