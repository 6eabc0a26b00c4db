import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { App } from '../clients/app.entity.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Settings } from '../../platform/config/settings.js';
import { computeDigest, isWellFormedSecret, generateSecret } from '../../platform/crypto/opaque-secret.js';
import { type Committed, TransactionService } from '../../platform/database/transaction.service.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { AuthorizationsService, type AuthorizationRef } from './authorizations.service.js';
import {
  createInvalidGrantError,
  type RefreshTokenRejection,
  getRefreshTokenRejection,
} from './refresh-token-rejection.js';
import { RefreshTokensStore, type StoredRefreshToken } from './refresh-tokens.store.js';
import type { IdempotentResponse } from './idempotent-response.entity.js';

/** Milliseconds in which an unused successor tells a client that tried twice from a thief (RFC 9700 §4.14.2). */
const RETRY_GRACE_PERIOD_MS = 10_000;

/** Refresh tokens: single use, each exchanged for the next of its authorization's chain, and only digests stored. */
@Injectable()
export class RefreshTokensService {
  constructor(
    private readonly store: RefreshTokensStore,
    private readonly transactions: TransactionService,
    private readonly authorizations: AuthorizationsService,
    private readonly audit: AuditService,
    private readonly metrics: MetricsService,
    private readonly settings: Settings,
  ) {}

  /** A text for a new token, of which only the digest is stored. */
  generate(): string {
    return generateSecret('sam_refresh');
  }

  /** Stores the first refresh token of an authorization. @returns its text, which cannot be read again */
  async create(tx: EntityManager, authorizationId: string): Promise<string> {
    const token = this.generate();
    await this.store.insert(tx, { digest: computeDigest(token), authorizationId });
    return token;
  }

  /** The token that an app presents, whatever became of it. @throws OAuthError invalid_grant where it is none of this app */
  async get(app: App, presented: string): Promise<StoredRefreshToken> {
    const token = await this.findByValue(presented);
    if (!token) throw createInvalidGrantError('unknown');
    if (token.appId !== app.id) throw createInvalidGrantError('of another app');
    return token;
  }

  isValid(token: StoredRefreshToken): boolean {
    return getRefreshTokenRejection(token, new Date()) === undefined;
  }

  /**
   * Spends a token and stores its successor, both or neither (RFC 6749 §6, RFC 9700 §4.14): of any number that present the
   * same token at once, in any number of processes, exactly one gets a successor.
   * @param successor its text, which is answered once it is kept
   * @param sealed the answer, where it is to be found again
   * @returns whether the token was valid until now, and so is spent
   */
  rotate(token: StoredRefreshToken, successor: string, sealed?: IdempotentResponse): Promise<Committed<boolean>> {
    return this.store.rotate({
      digest: token.digest,
      successorDigest: computeDigest(successor),
      idempotentResponse: sealed,
    });
  }

  /**
   * Says why a token is not spent, once all that its presentation means is written.
   * @throws OAuthError invalid_grant
   */
  async rejectInvalid(token: StoredRefreshToken): Promise<never> {
    throw createInvalidGrantError(await this.transactions.run((tx) => this.recordReuse(tx, token)));
  }

  /**
   * Ends the chain that a token belongs to, whatever became of the token (RFC 7009 §2.1): an app that signs out while it
   * refreshes leaves nothing behind. A token that is unknown, or another app's, is left as it is.
   */
  async revoke(app: App, presented: string): Promise<void> {
    const token = await this.findByValue(presented);
    if (token?.appId === app.id) {
      await this.transactions.run((tx) =>
        this.authorizations.revoke(tx, toAuthorizationRef(token), 'The app revoked it.'),
      );
    }
  }

  private async findByValue(presented: string): Promise<StoredRefreshToken | undefined> {
    return isWellFormedSecret('sam_refresh', presented) ? this.store.find(computeDigest(presented)) : undefined;
  }

  /** The token's state now. One that was used before may be in a thief's hands, so that is kept for the record. */
  private async recordReuse(tx: EntityManager, { digest }: StoredRefreshToken): Promise<RefreshTokenRejection> {
    const token = await this.store.findInTransaction(tx, digest);
    const state = token ? (getRefreshTokenRejection(token, new Date()) ?? 'blocked') : 'unknown'; // blocked can end meanwhile
    if (!token || state !== 'used') return state;
    const successor = await this.store.findInTransaction(tx, token.successorDigest!);
    this.metrics[successor?.usedAt === null ? 'lostResponses' : 'refreshTokenReuses'].inc();
    const { authorizationId, accountId, appId } = token;
    await this.audit.record(tx, { type: 'refresh_token.reused', accountId, appId, authorizationId });
    if (this.settings.REFRESH_TOKEN_REUSE === 'revoke-grant' && !isRetry(successor)) {
      await this.authorizations.revoke(tx, toAuthorizationRef(token), 'A refresh token was used twice.');
    }
    return state;
  }
}

function isRetry(successor: StoredRefreshToken | undefined): boolean {
  return successor?.usedAt === null && successor.issuedAt.getTime() > Date.now() - RETRY_GRACE_PERIOD_MS;
}

function toAuthorizationRef({ authorizationId: id, accountId, appId }: StoredRefreshToken): AuthorizationRef {
  return { id, accountId, appId };
}
