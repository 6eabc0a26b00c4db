import { Injectable } from '@nestjs/common';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { SetCookie } from 'cookie';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { SessionCookiesService } from '../sessions/session-cookies.service.js';
import { getRelyingPartyId } from './webauthn.js';

/** Time in which the device must sign a challenge. */
export const CHALLENGE_TTL_MS = 5 * 60_000;

const BROWSER_COOKIE_NAME = 'passkey_browser';

/** Lifetime of the cookie. Each sign-in page renews it. */
const BROWSER_COOKIE_TTL_SECONDS = 3600;

const BROWSER_ID_PATTERN = /^[\w-]{22}$/;

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

/** The request for a passkey that a sign-in page contains. */
export interface PasskeyRequest {
  /** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.5). */
  optionsJson: string;
  /** Cookie that binds the challenge to the browser. */
  cookie: SetCookie;
}

/**
 * Issues and verifies challenges. A challenge is encrypted and contains its purpose, its binding
 * and its expiry, so that issuing one writes nothing. Only used challenges are stored.
 */
@Injectable()
export class PasskeyChallengesService {
  private readonly cipher: AesGcmCipher;

  constructor(
    private readonly cookies: SessionCookiesService,
    private readonly settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'passkey-challenges');
  }

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

  /** Creates a request for any passkey of this service: the person enters no username. */
  async createRequest(request: IncomingMessage): Promise<PasskeyRequest> {
    const browserId = this.readBrowserId(request) ?? randomBytes(16).toString('base64url');
    const options = await generateAuthenticationOptions({
      rpID: getRelyingPartyId(this.settings),
      challenge: this.issue({ purpose: 'signIn', boundTo: browserId }),
      userVerification: 'required',
      timeout: CHALLENGE_TTL_MS,
    });
    const cookie = this.cookies.build(BROWSER_COOKIE_NAME, browserId, BROWSER_COOKIE_TTL_SECONDS);
    return { optionsJson: JSON.stringify(options), cookie };
  }

  /** Returns the binding of the sign-in challenges of a browser; undefined if it sent no cookie. */
  getSignInBinding(request: IncomingMessage): ChallengeBinding | undefined {
    const browserId = this.readBrowserId(request);
    return browserId === undefined ? undefined : { purpose: 'signIn', boundTo: browserId };
  }

  private readBrowserId(request: IncomingMessage): string | undefined {
    const browserId = this.cookies.read(request, BROWSER_COOKIE_NAME) ?? '';
    return BROWSER_ID_PATTERN.test(browserId) ? browserId : undefined;
  }
}
