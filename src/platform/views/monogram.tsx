import type { VNode } from 'preact';

/** Number of colors of the monograms in the stylesheet. */
const MONOGRAM_COLORS = 10;

/**
 * The first letter of a name on a color. It is decoration: the name stands beside it.
 * @param id chooses the color, always the same one
 */
export function Monogram({ id, name }: { id: string; name: string }): VNode {
  return (
    <span class={`app-icon monogram color-${computeColor(id)}`} aria-hidden="true">
      {getInitial(name)}
    </span>
  );
}

/** Returns the first letter or digit of a name in upper case, or its first character. */
function getInitial(name: string): string {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const initial = characters.find((character) => /[\p{L}\p{N}]/u.test(character)) ?? characters[0] ?? '';
  return initial.toLocaleUpperCase();
}

/** Returns the number of a color (FNV-1a), so that similar ids have different colors. */
function computeColor(id: string): number {
  const hash = [...id].reduce(
    (sum, character) => Math.imul(sum ^ character.codePointAt(0)!, 16_777_619),
    2_166_136_261,
  );
  return (hash >>> 0) % MONOGRAM_COLORS;
}
