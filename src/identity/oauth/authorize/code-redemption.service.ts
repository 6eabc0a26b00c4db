import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { type Account, isBlocked } from '../../accounts/account.entity.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { App } from '../../apps/app.entity.js';
import { Authorization } from '../authorization.entity.js';
import { AuthorizationsService, type NewAuthorization } from '../authorizations.service.js';
import { createInvalidGrantError } from '../oauth-error.js';
import { UncertainCommitsService } from '../uncertain-commits.service.js';
import { TokenIssuanceService } from '../token-issuance.service.js';
import { AuthorizationCode } from './authorization-code.entity.js';
import {
  CODE_REJECTION_MESSAGES,
  type CodeRejection,
  getCodeRejection,
  getRegisteredScopes,
} from './authorization-code-rejection.js';

/** Milliseconds between two reads of a code whose redemption may be undone. */
const POLL_INTERVAL_MS = 250;

/** Result of exchanging a code. */
export interface RedeemedCode {
  authorizationId: string;
  authorization: NewAuthorization;
  refreshToken: string;
}

/** A request that exchanges a code. */
export interface Redemption {
  app: App;
  code: Pick<AuthorizationCode, 'digest' | 'accountId'>;
  /** Thumbprint of the key of the DPoP proof. */
  jkt: string | undefined;
  /**
   * The result of the last attempt. So the request recognizes its own authorization, if the
   * connection broke during the commit.
   */
  attempted?: RedeemedCode;
}

/** Exchanges authorization codes for authorizations. */
@Injectable()
export class CodeRedemptionService {
  constructor(
    @InjectRepository(AuthorizationCode) private readonly codes: Repository<AuthorizationCode>,
    private readonly accounts: AccountsStore,
    private readonly tokenIssuance: TokenIssuanceService,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: TransactionService,
    private readonly uncertainCommits: UncertainCommitsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Uses up a code and creates its authorization in one transaction. Exactly one of several
   * concurrent requests succeeds; each of the others revokes the authorization (RFC 6749 §4.1.2). A
   * repeated call with the same redemption recognizes that the first one was committed.
   * @throws OAuthError invalid_grant, after the revocation is committed
   */
  async redeem(redemption: Redemption): Promise<RedeemedCode> {
    const startedAt = performance.now();
    for (;;) {
      const result = await this.transactions.run((tx) => this.redeemOrReject(tx, redemption, startedAt));
      if (typeof result === 'string') {
        delete redemption.attempted; // a rejected code stays used
        throw createInvalidGrantError(CODE_REJECTION_MESSAGES[result]);
      }
      if (result) return result;
      await this.waitForUndo(redemption.code.digest, startedAt);
    }
  }

  /** Makes the code valid again, and revokes the authorization whose tokens no client received. */
  async undo({ app, code: { digest, accountId }, attempted }: Redemption): Promise<void> {
    if (!attempted) return;
    const { authorizationId } = attempted;
    await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      const unused = { usedAt: null, authorizationId: null };
      const { affected } = await tx.update(AuthorizationCode, { digest, authorizationId }, unused);
      if (affected === 0) return;
      const authorization = { id: authorizationId, accountId, appId: app.id };
      await this.authorizations.revoke(tx, authorization, 'The database failed before the app received its tokens.');
    });
  }

  /** Waits while a used code may become valid again. */
  private async waitForUndo(digest: string, startedAt: number): Promise<void> {
    let code: AuthorizationCode | null;
    do {
      await sleep(POLL_INTERVAL_MS);
      code = await this.codes.findOneBy({ digest });
    } while (code && this.uncertainCommits.isWithinUndoTime(code.usedAt, startedAt));
  }

  /** @returns undefined if the code is used, but may become valid again */
  private async redeemOrReject(
    tx: EntityManager,
    redemption: Redemption,
    startedAt: number,
  ): Promise<RedeemedCode | CodeRejection | undefined> {
    const { app, attempted, jkt } = redemption;
    const { digest, accountId } = redemption.code;
    const account = await this.accounts.findForUpdate(tx, accountId);
    const code = await tx.findOneOrFail(AuthorizationCode, { where: { digest }, relations: { consent: true } });
    if (attempted && code.authorizationId === attempted.authorizationId)
      return (await this.findRevocation(tx, attempted, account)) ?? attempted;
    const rejection = getCodeRejection(code, app, account, new Date());
    if (!rejection) return (redemption.attempted = await this.consume(tx, code, { app, account, jkt }));
    if (rejection !== 'used') return rejection;
    if (this.uncertainCommits.isWithinUndoTime(code.usedAt, startedAt)) return undefined;
    await this.recordReuse(tx, code);
    return rejection;
  }

  /** The refresh tokens of a public client are bound to the key, too (RFC 9449 §5). */
  private async consume(
    tx: EntityManager,
    code: AuthorizationCode,
    { app, account, jkt }: { app: App; account: Account; jkt: string | undefined },
  ): Promise<RedeemedCode> {
    const { digest, resources, authTime, amr, nonce, browser, consent } = code;
    const scopes = getRegisteredScopes(code, app);
    const signIn = { authTime, amr, nonce, browser, consentedAt: consent.updatedAt };
    const dpopJkt = app.clientType === 'public' ? (jkt ?? null) : null;
    const authorization = { account, app, scopes, resources, ...signIn, dpopJkt };
    const { id, refreshToken } = await this.tokenIssuance.createAuthorization(tx, authorization);
    const changes = { usedAt: new Date(), authorizationId: id };
    const { affected } = await tx.update(AuthorizationCode, { digest, usedAt: IsNull() }, changes);
    if (affected !== 1) throw new Error('A code was used although its account was locked.');
    return { authorizationId: id, authorization, refreshToken };
  }

  /** Returns why the authorization of an earlier attempt has ended since then. */
  private async findRevocation(
    tx: EntityManager,
    { authorizationId }: RedeemedCode,
    account: Account,
  ): Promise<CodeRejection | undefined> {
    if (isBlocked(account)) return 'account_blocked';
    const authorization = await tx.findOneBy(Authorization, { id: authorizationId });
    return authorization?.revokedAt === null ? undefined : 'used';
  }

  private async recordReuse(tx: EntityManager, code: AuthorizationCode): Promise<void> {
    const { accountId, appId, authorizationId } = code;
    await this.audit.record(tx, { type: 'authorization_code.reused', accountId, appId, authorizationId });
    if (authorizationId === null) return;
    const authorization = { id: authorizationId, accountId, appId };
    await this.authorizations.revoke(tx, authorization, 'Its authorization code was used twice.');
  }
}
