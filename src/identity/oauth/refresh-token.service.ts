import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Counter } from 'prom-client';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Settings } from '../../platform/config/settings.js';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../platform/crypto/opaque-secret.js';
import { BatchLoader } from '../../platform/database/batch-loader.js';
import { repeatWhileUncertain } from '../../platform/database/uncertain-commit.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { ReservedConnections } from '../../platform/database/reserved-connections.js';
import { type PendingCommit, TransactionService } from '../../platform/database/transaction.service.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { App } from '../apps/app.entity.js';
import { Authorization } from './authorization.entity.js';
import { type AuthorizationKey, AuthorizationsService } from './authorizations.service.js';
import { endsChainOnReuse } from './grants/refresh-decision.js';
import { IdempotentResponse } from '../../platform/idempotency/idempotent-response.entity.js';
import { extendReplay, type IdempotencyKey } from './refresh-replay.store.js';
import {
  getRefreshTokenRejection,
  type RefreshTokenRejection,
  type StoredRefreshToken,
} from './refresh-token-validity.js';
import { type RefreshTokenRotation, RefreshTokensStore } from './refresh-tokens.store.js';

/**
 * Creates, finds, rotates and revokes refresh tokens. A token is valid for one use; the
 * database stores only its digest. Concurrent requests share one select and one transaction.
 */
@Injectable()
export class RefreshTokenService {
  private readonly lookupBatch: BatchLoader<string, StoredRefreshToken | undefined>;
  private readonly rotationBatch: BatchLoader<RefreshTokenRotation, PendingCommit<boolean>>;
  private readonly lostResponses: Counter;
  private readonly reuses: Counter;

  constructor(
    private readonly store: RefreshTokensStore,
    private readonly transactions: TransactionService,
    private readonly reserved: ReservedConnections,
    private readonly authorizations: AuthorizationsService,
    private readonly audit: AuditService,
    metrics: MetricsService,
    private readonly settings: Settings,
  ) {
    const { maxConcurrentBatches } = reserved;
    this.lookupBatch = new BatchLoader((digests) => this.store.findMany(digests), {
      onBatch: (size) => metrics.batchSizes.observe({ batch: 'refresh_token_lookups' }, size),
      maxConcurrentBatches,
    });
    this.rotationBatch = new BatchLoader((rotations) => this.commitRotations(rotations), {
      onBatch: (size) => metrics.batchSizes.observe({ batch: 'refreshes' }, size),
      maxConcurrentBatches,
    });
    this.lostResponses = metrics.registerCounter({
      name: 'street_art_lost_responses_total',
      help: 'Used refresh tokens that were presented again while their successor was unused. The response was probably lost.',
    });
    this.reuses = metrics.registerCounter({
      name: 'street_art_refresh_token_reuses_total',
      help: 'Used refresh tokens that were presented again after their successor was used. The token may be stolen.',
    });
  }

  /**
   * Creates the first refresh token of an authorization.
   * @returns its text, which cannot be read again
   */
  async create(tx: EntityManager, { id, createdAt }: Pick<Authorization, 'id' | 'createdAt'>): Promise<string> {
    const token = generateSecret('sam_refresh');
    await this.store.insertMany(tx, [{ digest: computeDigest(token), authorizationId: id, authorizedAt: createdAt }]);
    return token;
  }

  /** Returns the stored token of a text; undefined for an unknown or malformed one. */
  async find(token: string): Promise<StoredRefreshToken | undefined> {
    return isWellFormedSecret('sam_refresh', token) ? this.findByDigest(computeDigest(token)) : undefined;
  }

  findByDigest(digest: string): Promise<StoredRefreshToken | undefined> {
    return this.lookupBatch.enqueue(digest);
  }

  /**
   * Marks a token as used and stores its successor, both or neither (RFC 6749 §6, RFC 9700 §4.14).
   * Of all concurrent rotations of one token, in any number of processes, exactly one succeeds.
   * @returns whether the token was valid and not locked, and its allowed scopes are those that the
   * caller found
   * @throws CommitUncertainError if the connection broke during the commit
   */
  rotate(rotation: RefreshTokenRotation): Promise<PendingCommit<boolean>> {
    return this.rotationBatch.enqueue(rotation);
  }

  /**
   * Returns the stored token of a digest, when a standby has it too. It locks the row, because a
   * transaction that only reads does not wait for the standby.
   */
  findDurable(digest: string): Promise<StoredRefreshToken | undefined> {
    return this.reserved.transactions.run(async (tx) => {
      await this.store.lock(tx, digest);
      return (await this.store.findMany([digest], tx))[0];
    });
  }

  /**
   * Undoes a rotation whose successor no client has received; does nothing if it was not committed.
   * A response that was stored for an idempotency key is kept, because the client can receive it
   * with the key. Its lifetime begins again.
   * @param token the presented token
   */
  async undoRotation(token: string, successorDigest: string, key: IdempotencyKey | undefined): Promise<void> {
    await this.reserved.transactions.run((tx) =>
      key ? extendReplay(tx, key) : this.store.undoRotation(tx, computeDigest(token), successorDigest),
    );
  }

  /**
   * Reads a used token again, and records its reuse, because the token may have leaked (RFC 9700
   * §4.14.2). The record is committed before the caller responds.
   * @returns the reason for which the token is invalid; undefined if it is valid again, because its
   * rotation was undone
   */
  checkReuse(client: App, { digest }: Pick<StoredRefreshToken, 'digest'>): Promise<RefreshTokenRejection | undefined> {
    return this.transactions.run(async (tx) => {
      const [token] = await this.store.findMany([digest], tx);
      if (!token) return 'unknown';
      const now = new Date();
      const rejection = getRefreshTokenRejection(token, now);
      if (rejection !== 'used') return rejection;

      const [successor] = await this.store.findMany([token.successorDigest!], tx);
      (successor?.usedAt === null ? this.lostResponses : this.reuses).inc();
      const { authorizationId, accountId, appId } = token;
      await this.audit.record(tx, { type: 'refresh_token.reused', accountId, appId, authorizationId });
      if (!endsChainOnReuse(client, this.settings.REFRESH_TOKEN_REUSE, successor, now)) return 'used';
      await this.authorizations.revoke(tx, toAuthorizationKey(token), 'A refresh token was used twice.');
      return 'reused';
    });
  }

  /**
   * Revokes the authorization of a token, in any state of the token (RFC 7009 §2.1): a client that
   * revokes while it refreshes keeps no valid successor. An unknown token and a token of another
   * app are ignored.
   * @returns whether the app has the token
   */
  async revoke(client: App, token: string): Promise<boolean> {
    const stored = await this.find(token);
    if (stored?.appId !== client.id) return false;
    const authorization = toAuthorizationKey(stored);
    await repeatWhileUncertain(() =>
      this.transactions.run(async (tx) => {
        // A repeated revocation changes no row, but must wait for the standby like the first one.
        await lockRow(tx, Authorization, { where: { id: authorization.id } });
        await this.authorizations.revoke(tx, authorization, 'The app revoked it.');
      }),
    );
    return true;
  }

  private async commitRotations(rotations: RefreshTokenRotation[]): Promise<PendingCommit<boolean>[]> {
    const { result: issued, durable } = await this.reserved.transactions.commit(async (tx) => {
      const now = Date.now();
      const issued = await this.store.rotateMany(tx, rotations, now);
      const succeeded = rotations.filter(({ successorDigest }) => issued.has(successorDigest));
      const responses = succeeded.flatMap(({ idempotentResponse }) => idempotentResponse ?? []);
      if (responses.length > 0) await tx.insert(IdempotentResponse, responses);
      return issued;
    });
    return rotations.map(({ successorDigest }) => ({ result: issued.has(successorDigest), durable }));
  }
}

function toAuthorizationKey({ authorizationId: id, accountId, appId }: StoredRefreshToken): AuthorizationKey {
  return { id, accountId, appId };
}
