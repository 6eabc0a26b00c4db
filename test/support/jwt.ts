import { createHash } from 'node:crypto';

/** Computes the `at_hash` claim of an ID token (OpenID Connect Core §3.1.3.6). */
export function computeAtHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

/** Decodes the header of a JWT without a verification. */
export function decodeJwtHeader(token: string): { alg: string; kid: string } {
  return JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { alg: string; kid: string };
}

/** Decodes the claims of a JWT without a verification. */
export function decodeJwtClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
}
