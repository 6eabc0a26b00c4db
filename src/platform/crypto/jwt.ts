import { type KeyObject, sign } from 'node:crypto';

/** The members of a JOSE header that decide how a token is verified (RFC 7515 §4.1). */
export interface JwtHeader {
  kid?: unknown;
  typ?: unknown;
}

/** Returns the header of a JWT without verifying the token; undefined if it is not JSON. */
export function decodeJwtHeader(token: string): JwtHeader | undefined {
  return decodePart(token, 0);
}

/** Returns the claims of a JWT without verifying the token; undefined if they are not JSON. */
export function decodeJwtClaims(token: string): { iss?: unknown; aud?: unknown } | undefined {
  return decodePart(token, 1);
}

/**
 * Signs a JWT with ES256 (RFC 7515 §5.1). `jsonwebtoken` takes twice as long, see
 * docs/decisions/0045.
 */
export function signEs256Jwt(header: object, claims: object, privateKey: KeyObject): string {
  const content = `${encodePart({ alg: 'ES256', ...header })}.${encodePart(claims)}`;
  const signature = toJwsSignature(sign('sha256', Buffer.from(content), privateKey));
  return `${content}.${signature.toString('base64url')}`;
}

/** Number of bytes of `R` and of `S` in a signature with ES256 (RFC 7518 §3.4). */
const INTEGER_BYTES = 32;

/**
 * Converts a signature from DER, in which the integers `R` and `S` have their own lengths. The
 * option `dsaEncoding` of `sign` does the same, but takes 30 µs on Node.js 24.
 */
function toJwsSignature(der: Buffer): Buffer {
  const end = 4 + der[3]!;
  return Buffer.concat([toFixedLength(der.subarray(4, end)), toFixedLength(der.subarray(end + 2))]);
}

/** Removes the sign byte of an integer, or adds the leading zeros that DER omits. */
function toFixedLength(integer: Buffer): Buffer {
  const bytes = integer.subarray(-INTEGER_BYTES);
  return bytes.length === INTEGER_BYTES ? bytes : Buffer.concat([Buffer.alloc(INTEGER_BYTES - bytes.length), bytes]);
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decodePart(token: string, index: number): object | undefined {
  try {
    const part = token.split('.', 2)[index] ?? '';
    return (JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object | null) ?? undefined;
  } catch {
    return undefined;
  }
}
