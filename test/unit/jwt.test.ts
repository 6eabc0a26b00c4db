import { describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { signEs256Jwt } from '../../src/platform/crypto/jwt.js';

/** One in 256 signatures has an integer with a leading zero byte, which DER omits. */
const SIGNATURE_COUNT = 2_000;

describe('A JWT that is signed with ES256', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  it('has a signature of 64 bytes that another library verifies, for all lengths of its integers', async () => {
    for (let n = 0; n < SIGNATURE_COUNT; n++) {
      const token = signEs256Jwt({ typ: 'at+jwt', kid: 'key' }, { n }, privateKey);
      expect(Buffer.from(token.split('.')[2]!, 'base64url')).toHaveLength(64);
      expect((await jwtVerify(token, publicKey, { algorithms: ['ES256'] })).payload).toEqual({ n });
    }
  });

  it('names the algorithm first in its header', () => {
    const token = signEs256Jwt({ typ: 'at+jwt', kid: 'key' }, {}, privateKey);
    const header = Buffer.from(token.split('.')[0]!, 'base64url').toString();
    expect(header).toBe('{"alg":"ES256","typ":"at+jwt","kid":"key"}');
  });
});
