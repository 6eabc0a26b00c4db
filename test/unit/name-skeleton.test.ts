import { describe, expect, it } from '@jest/globals';
import { computeNameSkeleton } from '../../src/identity/apps/name-skeleton.js';

describe('Skeleton of an app name', () => {
  it.each([
    ['letters in another case', 'Mural Walk', 'MURAL wALK'],
    ['spaces and punctuation', 'Mural Walk', ' mural-w.a_lk!'],
    ['Cyrillic letters', 'Mural Walk', 'Мurаl Wаlk'],
    ['Cyrillic letters in another case', 'Mural Walk', 'мurАl Wаlк'],
    ['Greek letters', 'Mural Walk', 'Μural Walκ'],
    ['full-width letters', 'Mural Walk', 'Ｍｕｒａｌ Ｗａｌｋ'],
    ['mathematical letters', 'Mural Walk', '𝐌𝐮𝐫𝐚𝐥 𝕎𝕒𝕝𝕜'],
    ['invisible characters', 'Mural Walk', 'Mu\u200bral\u00ad Wa\ufe0flk\u2060'],
    ['I and 1 for l', 'Mural Walk', 'MuraI Wa1k'],
    ['0 for o', 'Photo', 'Ph0t0'],
    ['rn for m', 'Modern map', 'Modem rnap'],
    ['vv for w', 'WallWalker', 'VVallVValker'],
    ['vv with a mark between', 'WallWalker', 'V\u0345Vallv\u034fvalker'],
    ['letters with a hook or a stroke', 'Wall Walker', 'Ⱳałł Ⱳaꝉker'],
    ['turned letters', 'Wall Walker', 'Wɐꞁꞁ Wɐlĸer'],
    ['composed letters', 'Café', 'Cafe\u0301'],
    ['accents', 'Café', 'Cafe'],
    ['a mark that is not visible', 'Mural Walk', 'Mura\u0345l W\u0345alk'],
    ['an underline and a stroke', 'Mural Walk', 'Mura\u0335l Walk\u0332'],
    ['letters with a stroke', 'Photo', 'Phøto'],
    ['Hebrew and Arabic letters', 'Wallo', 'Waןاס'],
    ['symbols', 'Mural Walk', 'Mural`Walk™ 🗺'],
    ['Cyrillic names in another case', 'Карта мира', 'КАРТА МИРА'],
  ])('is the same for %s', (_, name, other) => expect(computeNameSkeleton(other)).toBe(computeNameSkeleton(name)));

  it.each([
    ['Mural Walk', 'Mural Walks'],
    ['Mural Walk', 'Mural Talk'],
    ['App 1', 'App 2'],
    ['App 10', 'App 100'],
    ['壁画散歩', '壁画散策'],
    ['ミュラル', 'ミュラレ'],
    ['Wall Walk', 'Wall Valk'],
    ['!!!', '???'],
    ['🎨', '🖌️'],
  ])('distinguishes %s and %s', (one, other) => expect(computeNameSkeleton(one)).not.toBe(computeNameSkeleton(other)));

  it('is never empty, and fits into its column', () => {
    for (const name of ['!', '-', '·']) expect(computeNameSkeleton(name)).not.toBe('');
    expect(computeNameSkeleton('ﷺ'.repeat(100)).length).toBeLessThanOrEqual(255);
  });
});
