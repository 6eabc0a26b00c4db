import { describe, expect, it } from '@jest/globals';
import { AesGcmCipher } from '../../src/platform/crypto/aes-gcm-cipher.js';

describe('A sealed box', () => {
  it('opens what it sealed, each time sealed anew', () => {
    const box = new AesGcmCipher(['one secret'], 'tests');
    const [sealed, again] = [box.encrypt('ключ'), box.encrypt('ключ')];
    expect(sealed).not.toBe(again);
    expect([box.decrypt(sealed), box.decrypt(again)]).toEqual(['ключ', 'ключ']);
  });

  it('opens with any of its secrets, and seals with the first', () => {
    const before = new AesGcmCipher(['old'], 'tests').encrypt('text');
    const both = new AesGcmCipher(['new', 'old'], 'tests');
    expect(both.decrypt(before)).toBe('text');
    expect(new AesGcmCipher(['new'], 'tests').decrypt(both.encrypt('text'))).toBe('text');
  });

  it('does not open with another secret, for another purpose, or with any bit changed', () => {
    const box = new AesGcmCipher(['one secret'], 'tests');
    const sealed = Buffer.from(box.encrypt('text'), 'base64url');
    expect(new AesGcmCipher(['other secret'], 'tests').decrypt(sealed.toString('base64url'))).toBeUndefined();
    expect(new AesGcmCipher(['one secret'], 'other tests').decrypt(sealed.toString('base64url'))).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(box.decrypt(changed.toString('base64url'))).toBeUndefined();
    }
    expect(box.decrypt('')).toBeUndefined();
  });
});
