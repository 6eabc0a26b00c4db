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
    ['composed letters', 'Café', 'Cafe\u0301'],
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
    ['Café', 'Cafe'],
    ['壁画散歩', '壁画散策'],
    ['ミュラル', 'ミュラレ'],
    ['!!!', '???'],
    ['🎨', '🖌️'],
  ])('distinguishes %s and %s', (one, other) => expect(computeNameSkeleton(one)).not.toBe(computeNameSkeleton(other)));

  it('is never empty, and fits into its column', () => {
    for (const name of ['!', '-', '·']) expect(computeNameSkeleton(name)).not.toBe('');
    expect(computeNameSkeleton('ﷺ'.repeat(100)).length).toBeLessThanOrEqual(255);
  });
});
