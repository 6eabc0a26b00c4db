import { Injectable } from '@nestjs/common';
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { AccountsStore } from '../accounts.store.js';
import { AMR_PASSKEY, type Session } from '../sessions/session.entity.js';
import { type SignInResult, SignInService } from '../sign-in/sign-in.service.js';
import { getVerificationOptions, parseCredentialJson } from '../sign-in/webauthn.js';
import {
  type ChallengeBinding,
  PasskeyChallengesService,
  type ValidChallenge,
} from '../sign-in/passkey-challenges.service.js';
import type { Passkey } from './passkey.entity.js';
import { type PasskeyUse, PasskeysStore } from './passkeys.store.js';

/** Limits rejected sign-ins with a passkey per network. */
const REJECTED_SIGN_IN_POLICY: RateLimitPolicy = {
  name: 'passkey-sign-ins',
  limit: 60,
  windowSeconds: 600,
  isSecurity: true,
};

/** Result of a sign-in attempt with a passkey. */
export type PasskeySignInResult = Exclude<SignInResult, { outcome: 'invalidCredentials' }> | typeof REJECTED;

const REJECTED = { outcome: 'passkeyRejected' } as const;

interface VerifiedPasskey {
  passkey: Passkey;
  challenge: ValidChallenge;
  use: PasskeyUse;
}

/** Signs people in by passkey (WebAuthn §7.2). All rejections have the same response. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly passkeys: PasskeysStore,
    private readonly challenges: PasskeyChallengesService,
    private readonly signIns: SignInService,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly rateLimiter: RateLimiterService,
    private readonly settings: Settings,
  ) {}

  /**
   * Verifies the response of the device and creates a session. Only rejected attempts count against
   * the limit of the network.
   * @param credentialJson `AuthenticationResponseJSON`
   * @param binding the browser that got the challenge; undefined if it sent no cookie
   * @param previous the session that the new one replaces
   */
  async signIn(
    credentialJson: string,
    binding: ChallengeBinding | undefined,
    previous: Session | null,
  ): Promise<PasskeySignInResult> {
    const quota = { policy: REJECTED_SIGN_IN_POLICY, key: getClientNetworkPrefix() };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) return { outcome: 'throttled', retryAfterSeconds: Number(headers['Retry-After']) };
    const result = await this.verifyAndCreateSession(credentialJson, binding, previous);
    if (result.outcome !== 'passkeyRejected') await this.rateLimiter.refund(quota);
    return result;
  }

  private async verifyAndCreateSession(
    credentialJson: string,
    binding: ChallengeBinding | undefined,
    previous: Session | null,
  ): Promise<PasskeySignInResult> {
    const verified = await this.verifyResponse(credentialJson, binding);
    if (!verified) return REJECTED;
    const { account } = verified.passkey;
    if (!(await this.recordUse(verified))) return REJECTED;
    const cookies = await this.signIns.createSession({ account, amr: AMR_PASSKEY, previous });
    return cookies ? { outcome: 'signedIn', cookies } : REJECTED;
  }

  /** Verifies everything except that the challenge is unused and the counter increased. */
  private async verifyResponse(
    credentialJson: string,
    binding: ChallengeBinding | undefined,
  ): Promise<VerifiedPasskey | undefined> {
    const response = parseCredentialJson<AuthenticationResponseJSON>(credentialJson);
    const passkey = response && (await this.passkeys.findByCredentialId(response.id));
    if (!response || !binding || !passkey) return undefined;
    if (response.response.userHandle !== Buffer.from(passkey.accountId).toString('base64url')) return undefined;
    let challenge: ValidChallenge | undefined;
    const expectedChallenge = (text: string): boolean => {
      challenge = this.challenges.verify(binding, text);
      return challenge !== undefined;
    };
    // The library throws an error for each violated rule. It compares the counter before it
    // verifies the signature, so `recordUse` compares the counter instead.
    const credential = { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 };
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      credential,
      ...getVerificationOptions(this.settings),
    }).catch(() => undefined);
    if (!result?.verified || !challenge) return undefined;
    const { newCounter, credentialBackedUp } = result.authenticationInfo;
    return { passkey, challenge, use: { counter: newCounter, backedUp: credentialBackedUp } };
  }

  /** Marks the challenge as used and stores the counter. @returns whether both were valid */
  private async recordUse({ passkey: { id, accountId, name }, challenge, use }: VerifiedPasskey): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      if (!(await this.passkeys.consumeChallenge(tx, challenge))) return false;
      const outcome = await this.passkeys.recordUse(tx, id, use);
      if (outcome === 'counterNotIncreased') {
        await this.audit.record(tx, { type: 'passkey.rejected', accountId, detail: name });
      }
      return outcome === 'recorded';
    });
  }
}
