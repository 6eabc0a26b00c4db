import { createHash } from 'node:crypto';
import { isEqualDigest } from '../../../platform/crypto/opaque-secret.js';

/**
 * Verifies a PKCE code verifier with S256 (RFC 7636 §4.6). If the request had no challenge, a
 * verifier is rejected, which prevents a PKCE downgrade (RFC 9700 §4.8.2).
 */
export function isValidCodeVerifier(codeChallenge: string | null, codeVerifier: string | undefined): boolean {
  if (codeChallenge === null) return codeVerifier === undefined;
  if (codeVerifier === undefined) return false;
  return isEqualDigest(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
