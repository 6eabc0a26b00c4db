import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  computeDigest,
  isWellFormedSecret,
  generateSecret,
  isEqualDigest,
} from '../../src/platform/crypto/opaque-secret.js';

describe('Opaque secret', () => {
  it('has 256 random bits after its prefix, and a checksum at its end', () => {
    const secrets = Array.from({ length: 100 }, () => generateSecret('sam_refresh'));
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^sam_refresh_[\w-]{43}[\w-]{6}$/);
      expect(isWellFormedSecret('sam_refresh', secret)).toBe(true);
    }
  });

  it('fails its checksum with any character changed, when it is truncated, or with another prefix', () => {
    const secret = generateSecret('sam_refresh');
    for (let index = 0; index < secret.length; index++) {
      const other = secret[index] === 'x' ? 'y' : 'x';
      expect(isWellFormedSecret('sam_refresh', secret.slice(0, index) + other + secret.slice(index + 1))).toBe(false);
      expect(isWellFormedSecret('sam_refresh', secret.slice(0, index))).toBe(false);
    }
    expect(isWellFormedSecret('sam_refresh', generateSecret('sam_secret'))).toBe(false);
    expect(isWellFormedSecret('sam_refresh', `${secret}x`)).toBe(false);
    expect(isWellFormedSecret('sam_refresh', '')).toBe(false);
  });

  it('is stored as its SHA-256', () => {
    expect(computeDigest('abc')).toBe(createHash('sha256').update('abc').digest('base64url'));
    expect(isEqualDigest(computeDigest('abc'), computeDigest('abc'))).toBe(true);
    expect(isEqualDigest(computeDigest('abc'), computeDigest('abd'))).toBe(false);
    expect(isEqualDigest(computeDigest('abc'), 'short')).toBe(false);
  });
});
