import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';

/** Time in which the device must sign a challenge. */
export const CHALLENGE_TTL_MS = 5 * 60_000;

/** The operation that a challenge is for, and the session or browser that it is bound to. */
export interface ChallengeBinding {
  purpose: 'registration' | 'signIn';
  /** Digest of the session, or id of the browser. */
  boundTo: string;
}

/** A challenge of this service that is valid, but possibly used. */
export interface ValidChallenge {
  digest: string;
  expiresAt: Date;
}

/**
 * Issues and verifies challenges. A challenge is encrypted and contains its purpose, its binding
 * and its expiry, so that issuing one writes nothing. Only used challenges are stored.
 */
@Injectable()
export class PasskeyChallenges {
  private readonly cipher: AesGcmCipher;

  constructor(settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'passkey-challenges');
  }

  /** Issues a challenge. */
  issue({ purpose, boundTo }: ChallengeBinding): Buffer<ArrayBuffer> {
    const random = randomBytes(16).toString('base64url');
    const text = `${random} ${purpose} ${boundTo} ${Date.now() + CHALLENGE_TTL_MS}`;
    return Buffer.from(this.cipher.encrypt(text), 'base64url');
  }

  /**
   * Verifies a challenge that a device signed.
   * @param challenge base64url
   * @returns undefined if it is expired, or was issued for another purpose, session or browser
   */
  verify({ purpose, boundTo }: ChallengeBinding, challenge: string): ValidChallenge | undefined {
    const text = this.cipher.decrypt(challenge) ?? '';
    const [, issuedFor, issuedTo, expiresAt] = text.split(' ');
    const isValid = issuedFor === purpose && issuedTo === boundTo && Number(expiresAt) > Date.now();
    return isValid ? { digest: computeDigest(text), expiresAt: new Date(Number(expiresAt)) } : undefined;
  }
}
