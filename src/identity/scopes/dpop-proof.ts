import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

/** Signature algorithms of proofs. */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA', 'RS256'] as const;
type DpopAlgorithm = (typeof DPOP_ALGORITHMS)[number];

/** Seconds by which the `iat` of a proof may differ from the clock of this service. */
export const MAX_PROOF_AGE_SECONDS = 60;

/**
 * Limits of RSA keys, in bits: the shortest that is safe, and the longest that is fast to verify.
 */
const RSA_KEY_BITS = { min: 2048, max: 4096 };

/** The request to which a proof belongs. */
export interface ProvenRequest {
  method: string;
  /** URL without query and fragment. */
  url: string;
  /** The access token that the request sends to a resource. */
  accessToken?: string | undefined;
}

/** A valid proof: the thumbprint of its key (RFC 7638), and its id. */
export interface DpopProof {
  jkt: string;
  jti: string;
}

/** A proof that is not valid. The message tells a developer what to correct. */
export class DpopProofError extends Error {}

/**
 * Verifies a proof (RFC 9449 §4.3), except that it was not used before.
 * @param proof the header `DPoP`
 * @param now milliseconds since 1970
 * @throws DpopProofError
 */
export function verifyDpopProof(proof: string, request: ProvenRequest, now: number): DpopProof {
  const [encodedHeader = '', encodedClaims = '', signature = '', ...others] = proof.split('.');
  const [header, claims] = [decodeJson(encodedHeader), decodeJson(encodedClaims)];
  if (!header || !claims || others.length > 0) throw new DpopProofError('The header DPoP must be one signed JWT.');
  const key = readKey(header);
  const signed = Buffer.from(`${encodedHeader}.${encodedClaims}`);
  if (!isSigned(header['alg'] as DpopAlgorithm, key, signed, Buffer.from(signature, 'base64url')))
    throw new DpopProofError('The signature of the DPoP proof is wrong.');
  return { jkt: computeThumbprint(key), jti: readClaims(claims, request, now) };
}

/** Whether a text has the form of a thumbprint: a SHA-256 in base64url. */
export function isThumbprint(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

function readKey(header: Record<string, unknown>): KeyObject {
  const { typ, alg, jwk, crit } = header;
  if (typ !== 'dpop+jwt') throw new DpopProofError('typ of the DPoP proof must be dpop+jwt.');
  if (!(DPOP_ALGORITHMS as readonly unknown[]).includes(alg))
    throw new DpopProofError(`alg of the DPoP proof must be one of ${DPOP_ALGORITHMS.join(', ')}.`);
  if (crit !== undefined) throw new DpopProofError('crit is not supported in a DPoP proof.');
  const key = parsePublicKey(jwk);
  if (!key || !isKeyOf(alg as DpopAlgorithm, key))
    throw new DpopProofError('jwk of the DPoP proof must be the public key of its alg, without private members.');
  return key;
}

function parsePublicKey(jwk: unknown): KeyObject | undefined {
  if (typeof jwk !== 'object' || jwk === null || 'd' in jwk) return undefined;
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function isKeyOf(alg: DpopAlgorithm, { asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  switch (alg) {
    case 'ES256':
      return asymmetricKeyType === 'ec' && asymmetricKeyDetails.namedCurve === 'prime256v1';
    case 'EdDSA':
      return asymmetricKeyType === 'ed25519';
    case 'RS256': {
      const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails;
      const isUsual = modulusLength >= RSA_KEY_BITS.min && modulusLength <= RSA_KEY_BITS.max;
      return asymmetricKeyType === 'rsa' && isUsual && publicExponent <= 65_537n;
    }
  }
}

function isSigned(alg: DpopAlgorithm, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  const digest = alg === 'EdDSA' ? null : 'sha256';
  return verify(digest, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** Checks the claims. @returns `jti` */
function readClaims(claims: Record<string, unknown>, { method, url, accessToken }: ProvenRequest, now: number): string {
  const { jti, htm, htu, iat, ath } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > 255)
    throw new DpopProofError('jti of the DPoP proof must be a unique text of 1 to 255 characters.');
  if (htm !== method) throw new DpopProofError(`htm of the DPoP proof must be ${method}.`);
  if (normalizeUrl(htu) !== normalizeUrl(url)) throw new DpopProofError(`htu of the DPoP proof must be ${url}.`);
  if (typeof iat !== 'number' || !(Math.abs(now / 1000 - iat) <= MAX_PROOF_AGE_SECONDS))
    throw new DpopProofError(`iat of the DPoP proof must be within ${MAX_PROOF_AGE_SECONDS} seconds of now.`);
  if (accessToken !== undefined && ath !== computeSha256(accessToken))
    throw new DpopProofError('ath of the DPoP proof must be the SHA-256 of the access token in base64url.');
  return jti;
}

/** Returns a URL in the form of RFC 3986 §6.2.2, without query and fragment. */
function normalizeUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns the SHA-256 of the required members of a key, in their lexical order (RFC 7638 §3). */
function computeThumbprint(key: KeyObject): string {
  const { kty, crv, x, y, e, n } = key.export({ format: 'jwk' });
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return computeSha256(JSON.stringify(members));
}

function computeSha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns the object in a part of a JWT; undefined if it has none. */
function decodeJson(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
