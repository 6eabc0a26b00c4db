/** Letters that Unicode does not take apart, and what people type for them. */
const PLAIN: Record<string, string> = {
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
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** A letter of a script that is written without spaces: each is a word by itself. */
const UNSPACED = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]`;

/** Runs of unspaced letters, or of any others. */
const RUNS = new RegExp(String.raw`(?:${UNSPACED})+|(?:(?!${UNSPACED})[\p{L}\p{N}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/** A text as it is compared: in lower case, without marks, its letters those that a plain keyboard has. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter]!);
}

/**
 * What is searched for or searched in, term by term: a word, or a run of letters that are written without spaces, put
 * apart by spaces. `Łódź, 壁画!` is `lodz` and `壁 画`.
 */
export function termsOf(text: string): string[] {
  return (fold(text).match(RUNS) ?? []).map((run) => (IS_UNSPACED.test(run) ? [...run].join(' ') : run));
}

/** The words of texts between spaces, with a `|` between two texts: ` echo wall | a fox `. */
export function wordsOf(...texts: (string | null)[]): string {
  return ` ${texts.map((text) => termsOf(text ?? '').join(' ')).join(' | ')} `;
}
