import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createHash, randomUUID } from 'node:crypto';

/** Changes of a proof; `undefined` removes a member. */
export interface ProofChanges {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}

/** The key of an app that signs DPoP proofs (RFC 9449 §4.2). */
export class DpopKey {
  private constructor(
    private readonly alg: string,
    private readonly privateKey: CryptoKey,
    readonly jwk: JWK,
    /** Its thumbprint. */
    readonly jkt: string,
  ) {}

  static async create(alg = 'ES256', options: { modulusLength?: number; crv?: string } = {}): Promise<DpopKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { ...options, extractable: true });
    const jwk = await exportJWK(publicKey);
    return new DpopKey(alg, privateKey, jwk, await calculateJwkThumbprint(jwk));
  }

  /** Exports the private key, which no proof may contain. */
  exportPrivateJwk(): Promise<JWK> {
    return exportJWK(this.privateKey);
  }

  /** Signs a proof for a request. */
  sign(method: string, url: string, accessToken?: string, { header, claims }: ProofChanges = {}): Promise<string> {
    const ath = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url');
    const iat = Math.floor(Date.now() / 1000);
    return new SignJWT({ jti: randomUUID(), htm: method, htu: url, iat, ath, ...claims })
      .setProtectedHeader({ alg: this.alg, typ: 'dpop+jwt', jwk: this.jwk, ...header })
      .sign(this.privateKey);
  }
}
