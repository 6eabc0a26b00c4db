import { describe, expect, it } from '@jest/globals';
import { AesGcmCipher } from '../../src/platform/crypto/aes-gcm-cipher.js';

describe('AesGcmCipher', () => {
  it('decrypts its own ciphertext, which differs each time', () => {
    const box = new AesGcmCipher(['one secret'], 'tests');
    const [sealed, again] = [box.encrypt('ключ'), box.encrypt('ключ')];
    expect(sealed).not.toBe(again);
    expect([box.decrypt(sealed), box.decrypt(again)]).toEqual(['ключ', 'ключ']);
  });

  it('decrypts with any of its secrets, and encrypts with the first one', () => {
    const before = new AesGcmCipher(['old'], 'tests').encrypt('text');
    const both = new AesGcmCipher(['new', 'old'], 'tests');
    expect(both.decrypt(before)).toBe('text');
    expect(new AesGcmCipher(['new'], 'tests').decrypt(both.encrypt('text'))).toBe('text');
  });

  it('does not decrypt with another secret, for another purpose, or with any bit changed', () => {
    const box = new AesGcmCipher(['one secret'], 'tests');
    const sealed = Buffer.from(box.encrypt('text'), 'base64url');
    expect(new AesGcmCipher(['other secret'], 'tests').decrypt(sealed.toString('base64url'))).toBeUndefined();
    expect(new AesGcmCipher(['one secret'], 'other tests').decrypt(sealed.toString('base64url'))).toBeUndefined();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(box.decrypt(changed.toString('base64url'))).toBeUndefined();
    }
    expect(box.decrypt('')).toBeUndefined();
  });
});
