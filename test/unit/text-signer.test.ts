import { describe, expect, it } from '@jest/globals';
import { TextSigner } from '../../src/platform/crypto/text-signer.js';

describe('TextSigner', () => {
  it('signs equal texts equally, and verifies them', () => {
    const signer = new TextSigner(['one secret'], 'tests');
    expect(signer.sign('ключ')).toBe(signer.sign('ключ'));
    expect(signer.verify(signer.sign('ключ'))).toBe('ключ');
    expect(signer.verify(signer.sign(''))).toBe('');
  });

  it('verifies with any of its secrets, and signs with the first one', () => {
    const before = new TextSigner(['old'], 'tests').sign('text');
    const both = new TextSigner(['new', 'old'], 'tests');
    expect(both.verify(before)).toBe('text');
    expect(new TextSigner(['new'], 'tests').verify(both.sign('text'))).toBe('text');
  });

  it('does not verify with another secret, for another purpose, or with any bit changed', () => {
    const signer = new TextSigner(['one secret'], 'tests');
    const signed = signer.sign('text');
    expect(new TextSigner(['other secret'], 'tests').verify(signed)).toBeUndefined();
    expect(new TextSigner(['one secret'], 'other tests').verify(signed)).toBeUndefined();
    const bytes = Buffer.from(signed, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(signer.verify(changed.toString('base64url'))).toBeUndefined();
      expect(signer.verify(bytes.subarray(0, index).toString('base64url'))).toBeUndefined();
    }
  });
});
