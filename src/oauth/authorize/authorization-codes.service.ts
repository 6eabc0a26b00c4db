import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createHash } from 'node:crypto';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import type { Account } from '../../accounts/account.entity.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { App } from '../../apps/app.entity.js';
import { Audit } from '../../audit/audit.service.js';
import { Settings } from '../../config/settings.js';
import { deriveKey } from '../../crypto/derived-key.js';
import { deriveSecret, digest, isWellFormed, sameDigest } from '../../crypto/opaque-secret.js';
import { Transactions } from '../../database/transactions.js';
import { AuthorizationEndings } from '../authorization-endings.js';
import { AuthorizationsService, type Granted } from '../authorizations.service.js';
import { OAuthError } from '../oauth-error.js';
import { AuthorizationCode } from './authorization-code.entity.js';
import { CODE_REFUSALS, type RefusedCode, refusedCode } from './authorization-code-state.js';

/** Milliseconds in which a code is exchanged. */
const LIFETIME = 60_000;

/** Milliseconds that a code must have left to be given out again; otherwise the next takes its place. */
const WORTH_GIVING = 30_000;

/** What a code is bound to. */
export type Bound = Pick<
  AuthorizationCode,
  'accountId' | 'appId' | 'consentId' | 'scopes' | 'redirectUri' | 'codeChallenge' | 'nonce' | 'authTime'
>;

/** What an app presents with a code. */
export interface Presented {
  redirectUri: string;
  codeVerifier: string | undefined;
}

/** What a code was exchanged for. */
export interface Redeemed {
  granted: Granted;
  refreshToken: string;
}

/** Authorization codes: single use, 60 seconds, bound to all that they were asked for with, and only digests stored. */
@Injectable()
export class AuthorizationCodesService {
  private readonly key: Buffer;

  constructor(
    @InjectRepository(AuthorizationCode) private readonly codes: Repository<AuthorizationCode>,
    private readonly accounts: AccountsService,
    private readonly authorizations: AuthorizationsService,
    private readonly endings: AuthorizationEndings,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    settings: Settings,
  ) {
    this.key = deriveKey(settings.MASTER_SECRET[0]!, 'authorization-codes');
  }

  /**
   * The code of a consent, in a transaction that holds the person's account. The same answer, however often it is posted,
   * gets the same code while that can still be exchanged, and then the next; so whichever answer the browser ends up with
   * works, and there is one to exchange.
   * @param answer what names the answer that the person gave
   * @returns the text of the code
   */
  async issue(tx: EntityManager, answer: string, bound: Bound): Promise<string> {
    const now = new Date();
    for (let count = 0; ; count++) {
      const code = deriveSecret('sam_code', this.key, `${answer} ${count}`);
      const given = await tx.findOneBy(AuthorizationCode, { digest: digest(code) });
      if (!given) {
        const expiresAt = new Date(now.getTime() + LIFETIME);
        await tx.insert(AuthorizationCode, {
          digest: digest(code),
          ...bound,
          expiresAt,
          usedAt: null,
          authorizationId: null,
        });
        return code;
      }
      if (given.usedAt || given.expiresAt <= now) continue;
      if (isTheSame(given, bound) && given.expiresAt.getTime() - now.getTime() > WORTH_GIVING) return code;
      await tx.update(AuthorizationCode, { digest: given.digest }, { usedAt: now });
    }
  }

  /**
   * The code that an app presents, where it stands for what comes with it.
   * @throws OAuthError invalid_grant that says why not; a mistake here spends nothing
   */
  async find(app: App, code: string, presented: Presented): Promise<AuthorizationCode> {
    const given = isWellFormed('sam_code', code) ? await this.codes.findOneBy({ digest: digest(code) }) : null;
    if (!given) throw invalidGrant('unknown');
    if (given.appId !== app.id) throw invalidGrant('of another app');
    if (given.redirectUri !== presented.redirectUri) {
      throw invalidGrant('another address', `Sent: ${presented.redirectUri} Asked with: ${given.redirectUri}`);
    }
    if (!isProof(given.codeChallenge, presented.codeVerifier)) throw invalidGrant('wrong verifier');
    return given;
  }

  /**
   * Spends a code and stores the authorization that it stands for, both or neither. Of any number that present it at once
   * exactly one succeeds, and every other ends what came of it (RFC 6749 §4.1.2).
   * @throws OAuthError invalid_grant that says where the code stands, once all that follows from it is written
   */
  async redeem(app: App, { digest, accountId }: AuthorizationCode): Promise<Redeemed> {
    const redeemed = await this.transactions.run(async (tx) => {
      const account = await this.accounts.hold(tx, accountId);
      const code = await tx.findOneOrFail(AuthorizationCode, { where: { digest }, relations: { consent: true } });
      const refusal = refusedCode(code, account, new Date());
      if (refusal === 'used') await this.endWhatCameOf(tx, code);
      return refusal ?? this.spend(tx, code, app, account);
    });
    if (typeof redeemed === 'string') throw invalidGrant(redeemed);
    return redeemed;
  }

  private async spend(tx: EntityManager, code: AuthorizationCode, app: App, account: Account): Promise<Redeemed> {
    const { digest, scopes, authTime, nonce, consent } = code;
    const granted = { account, app, scopes, authTime, nonce, consentedAt: consent.updatedAt };
    const { id, refreshToken } = await this.authorizations.begin(tx, granted);
    const spent = { usedAt: new Date(), authorizationId: id };
    const { affected } = await tx.update(AuthorizationCode, { digest, usedAt: IsNull() }, spent);
    if (affected !== 1) throw new Error('A code was spent while its person was held.');
    return { granted, refreshToken };
  }

  private async endWhatCameOf(
    tx: EntityManager,
    { accountId, appId, authorizationId }: AuthorizationCode,
  ): Promise<void> {
    await this.audit.record(tx, { type: 'authorization_code.reused', accountId, appId, authorizationId });
    if (authorizationId === null) return;
    await this.endings.end(tx, { id: authorizationId, accountId, appId }, 'Its authorization code was used twice.');
  }
}

/** Whether the person still says what they said when this code was made. */
function isTheSame(given: Bound, bound: Bound): boolean {
  return given.consentId === bound.consentId && given.scopes.join() === bound.scopes.join();
}

function invalidGrant(refusal: RefusedCode, detail?: string): OAuthError {
  return new OAuthError('invalid_grant', CODE_REFUSALS[refusal], 400, {}, { detail });
}

/** PKCE by S256 (RFC 7636 §4.6). A verifier without a challenge is no proof of anything (RFC 9700 §4.8.2). */
function isProof(codeChallenge: string | null, codeVerifier: string | undefined): boolean {
  if (codeChallenge === null) return codeVerifier === undefined;
  if (codeVerifier === undefined) return false;
  return sameDigest(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
