import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  computeDigest,
  isWellFormedSecret,
  generateSecret,
  isEqualDigest,
} from '../../src/platform/crypto/opaque-secret.js';

describe('A machine-made secret', () => {
  it('holds 256 random bits behind its prefix, with a check at its end', () => {
    const secrets = Array.from({ length: 100 }, () => generateSecret('sam_refresh'));
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^sam_refresh_[\w-]{43}[\w-]{6}$/);
      expect(isWellFormedSecret('sam_refresh', secret)).toBe(true);
    }
  });

  it('is known to be mistyped by any one character, and to be cut short or of another kind', () => {
    const secret = generateSecret('sam_refresh');
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'x' ? 'y' : 'x';
      expect(isWellFormedSecret('sam_refresh', secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
      expect(isWellFormedSecret('sam_refresh', secret.slice(0, at))).toBe(false);
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
