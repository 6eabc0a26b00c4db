import { type KeyObject, sign } from 'node:crypto';

/**
 * A JWT signed with ES256 (RFC 7519 §7.1, RFC 7515 §3.1, RFC 7518 §3.4), with a key that is parsed already.
 * @param header beside `alg`
 */
export function signJwtEs256(header: object, claims: object, key: KeyObject): string {
  const signed = `${encodeJwtPart({ alg: 'ES256', ...header })}.${encodeJwtPart(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function encodeJwtPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
