import { describe, expect, it } from '@jest/globals';
import { SealedBox } from '../../src/crypto/sealed-box.js';

describe('A sealed box', () => {
  it('opens what it sealed, each time sealed anew', () => {
    const box = new SealedBox(['one secret'], 'tests');
    const [sealed, again] = [box.seal('ключ'), box.seal('ключ')];
    expect(sealed).not.toBe(again);
    expect([box.open(sealed), box.open(again)]).toEqual(['ключ', 'ключ']);
  });

  it('opens with any of its secrets, and seals with the first', () => {
    const before = new SealedBox(['old'], 'tests').seal('text');
    const both = new SealedBox(['new', 'old'], 'tests');
    expect(both.open(before)).toBe('text');
    expect(new SealedBox(['new'], 'tests').open(both.seal('text'))).toBe('text');
  });

  it('does not open with another secret, for another purpose, or with any bit changed', () => {
    const box = new SealedBox(['one secret'], 'tests');
    const sealed = Buffer.from(box.seal('text'), 'base64url');
    expect(new SealedBox(['other secret'], 'tests').open(sealed.toString('base64url'))).toBeUndefined();
    expect(new SealedBox(['one secret'], 'other tests').open(sealed.toString('base64url'))).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(box.open(changed.toString('base64url'))).toBeUndefined();
    }
    expect(box.open('')).toBeUndefined();
  });
});
