import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createHash } from 'node:crypto';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import type { Account } from '../../accounts/account.entity.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { App } from '../../clients/app.entity.js';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { deriveKey } from '../../../platform/crypto/derive-key.js';
import {
  deriveSecret,
  computeDigest,
  isWellFormedSecret,
  isEqualDigest,
} from '../../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AuthorizationsService } from '../authorizations.service.js';
import { TokenIssuanceService, type NewAuthorization } from '../token-issuance.service.js';
import { OAuthError } from '../oauth-error.js';
import { AuthorizationCode } from './authorization-code.entity.js';
import { CODE_REJECTION_MESSAGES, type CodeRejection, getCodeRejection } from './authorization-code-rejection.js';

/** Milliseconds in which a code is exchanged. */
const CODE_LIFETIME_MS = 60_000;

/** Milliseconds that a code must have left to be given out again; otherwise the next takes its place. */
const MIN_REMAINING_LIFETIME_MS = 30_000;

/** What a code is bound to. */
export type CodeBinding = Pick<
  AuthorizationCode,
  'accountId' | 'appId' | 'consentId' | 'scopes' | 'redirectUri' | 'codeChallenge' | 'nonce' | 'authTime'
>;

/** What an app presents with a code. */
export interface CodeExchangeParams {
  redirectUri: string;
  codeVerifier: string | undefined;
}

/** What a code was exchanged for. */
export interface RedeemedCode {
  authorization: NewAuthorization;
  refreshToken: string;
}

/** Authorization codes: single use, 60 seconds, bound to all that they were asked for with, and only digests stored. */
@Injectable()
export class AuthorizationCodesService {
  private readonly derivationKey: Buffer;

  constructor(
    @InjectRepository(AuthorizationCode) private readonly codes: Repository<AuthorizationCode>,
    private readonly accounts: AccountsStore,
    private readonly tokenIssuance: TokenIssuanceService,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    settings: Settings,
  ) {
    this.derivationKey = deriveKey(settings.MASTER_SECRET[0]!, 'authorization-codes');
  }

  /**
   * The code of a consent, in a transaction that holds the person's account. The same answer, however often it is posted,
   * gets the same code while that can still be exchanged, and then the next; so whichever answer the browser ends up with
   * works, and there is one to exchange.
   * @param answer what names the answer that the person gave
   * @returns the text of the code
   */
  async issue(tx: EntityManager, answer: string, bound: CodeBinding): Promise<string> {
    const now = new Date();
    for (let count = 0; ; count++) {
      const code = deriveSecret('sam_code', this.derivationKey, `${answer} ${count}`);
      const given = await tx.findOneBy(AuthorizationCode, { digest: computeDigest(code) });
      if (!given) {
        const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
        await tx.insert(AuthorizationCode, {
          digest: computeDigest(code),
          ...bound,
          expiresAt,
          usedAt: null,
          authorizationId: null,
        });
        return code;
      }
      if (given.usedAt || given.expiresAt <= now) continue;
      if (
        hasSameConsentAndScopes(given, bound) &&
        given.expiresAt.getTime() - now.getTime() > MIN_REMAINING_LIFETIME_MS
      )
        return code;
      await tx.update(AuthorizationCode, { digest: given.digest }, { usedAt: now });
    }
  }

  /**
   * The code that an app presents, where it stands for what comes with it.
   * @throws OAuthError invalid_grant that says why not; a mistake here spends nothing
   */
  async verify(app: App, code: string, presented: CodeExchangeParams): Promise<AuthorizationCode> {
    const given = isWellFormedSecret('sam_code', code)
      ? await this.codes.findOneBy({ digest: computeDigest(code) })
      : null;
    if (!given) throw createInvalidGrantError('unknown');
    if (given.appId !== app.id) throw createInvalidGrantError('of another app');
    if (given.redirectUri !== presented.redirectUri) {
      throw createInvalidGrantError(
        'another address',
        `Sent: ${presented.redirectUri} Asked with: ${given.redirectUri}`,
      );
    }
    if (!isValidCodeVerifier(given.codeChallenge, presented.codeVerifier))
      throw createInvalidGrantError('wrong verifier');
    return given;
  }

  /**
   * Spends a code and stores the authorization that it stands for, both or neither. Of any number that present it at once
   * exactly one succeeds, and every other ends what came of it (RFC 6749 §4.1.2).
   * @throws OAuthError invalid_grant that says where the code stands, once all that follows from it is written
   */
  async redeem(app: App, { digest, accountId }: AuthorizationCode): Promise<RedeemedCode> {
    const redeemed = await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      const code = await tx.findOneOrFail(AuthorizationCode, { where: { digest }, relations: { consent: true } });
      const refusal = getCodeRejection(code, account, new Date());
      if (refusal === 'used') await this.recordReuse(tx, code);
      return refusal ?? this.consume(tx, code, app, account);
    });
    if (typeof redeemed === 'string') throw createInvalidGrantError(redeemed);
    return redeemed;
  }

  private async consume(tx: EntityManager, code: AuthorizationCode, app: App, account: Account): Promise<RedeemedCode> {
    const { digest, scopes, authTime, nonce, consent } = code;
    const granted = { account, app, scopes, authTime, nonce, consentedAt: consent.updatedAt };
    const { id, refreshToken } = await this.tokenIssuance.createAuthorization(tx, granted);
    const spent = { usedAt: new Date(), authorizationId: id };
    const { affected } = await tx.update(AuthorizationCode, { digest, usedAt: IsNull() }, spent);
    if (affected !== 1) throw new Error('A code was spent while its person was held.');
    return { authorization: granted, refreshToken };
  }

  private async recordReuse(
    tx: EntityManager,
    { accountId, appId, authorizationId }: AuthorizationCode,
  ): Promise<void> {
    await this.audit.record(tx, { type: 'authorization_code.reused', accountId, appId, authorizationId });
    if (authorizationId === null) return;
    await this.authorizations.revoke(
      tx,
      { id: authorizationId, accountId, appId },
      'Its authorization code was used twice.',
    );
  }
}

/** Whether the person still says what they said when this code was made. */
function hasSameConsentAndScopes(given: CodeBinding, bound: CodeBinding): boolean {
  return given.consentId === bound.consentId && given.scopes.join() === bound.scopes.join();
}

function createInvalidGrantError(refusal: CodeRejection, detail?: string): OAuthError {
  return new OAuthError('invalid_grant', CODE_REJECTION_MESSAGES[refusal], 400, {}, { detail });
}

/** PKCE by S256 (RFC 7636 §4.6). A verifier without a challenge is no proof of anything (RFC 9700 §4.8.2). */
function isValidCodeVerifier(codeChallenge: string | null, codeVerifier: string | undefined): boolean {
  if (codeChallenge === null) return codeVerifier === undefined;
  if (codeVerifier === undefined) return false;
  return isEqualDigest(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
