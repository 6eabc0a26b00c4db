import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { computeDigest } from '../../platform/crypto/opaque-secret.js';
import { RateLimiterService } from '../../platform/rate-limiting/rate-limiter.service.js';
import { DpopProofError, MAX_PROOF_AGE_SECONDS, verifyDpopProof } from './dpop-proof.js';

/** Seconds for which an id is remembered: the proof may be dated in the future and in the past. */
const USED_ID_SECONDS = 2 * MAX_PROOF_AGE_SECONDS + 1;

/** The header `DPoP` of a request, and what it must prove. */
export interface SentProof {
  proof: string | undefined;
  method: string;
  /** Path and query of the request. */
  address: string;
  /** The access token that the request sends to a resource. */
  accessToken?: string;
}

/** Verifies the proofs of requests (RFC 9449), each of which counts once in all processes. */
@Injectable()
export class DpopProofsService {
  constructor(
    private readonly rateLimiter: RateLimiterService,
    private readonly settings: Settings,
  ) {}

  /**
   * Verifies the proof of a request.
   * @returns the thumbprint of its key; undefined without a proof
   * @throws DpopProofError if the proof is not valid or was used before
   */
  async verify({ proof, method, address, accessToken }: SentProof): Promise<string | undefined> {
    if (proof === undefined) return undefined;
    const url = new URL(this.settings.BASE_URL).origin + address.split('?', 1)[0]!;
    const { jkt, jti } = verifyDpopProof(proof, { method, url, accessToken }, Date.now());
    if (await this.rateLimiter.useOnce('dpop-proof', computeDigest(`${jkt} ${jti}`), USED_ID_SECONDS)) return jkt;
    throw new DpopProofError('jti of the DPoP proof was used before. Create a proof for each request.');
  }
}
