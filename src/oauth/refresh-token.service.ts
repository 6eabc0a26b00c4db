import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { App } from '../apps/app.entity.js';
import { Audit } from '../audit/audit.service.js';
import { Settings } from '../config/settings.js';
import { digest, isWellFormed, mintSecret } from '../crypto/opaque-secret.js';
import { type Committed, Transactions } from '../database/transactions.js';
import { Metrics } from '../metrics/metrics.js';
import { AuthorizationEndings, type Ended } from './authorization-endings.js';
import { invalidGrant, type RefusedState, refusedState } from './refresh-token-state.js';
import { RefreshTokensStore, type StoredToken } from './refresh-tokens-store.js';
import type { SealedAnswer } from './sealed-answer.entity.js';

/** Milliseconds in which an unused successor tells a client that tried twice from a thief (RFC 9700 §4.14.2). */
const RETRY_GRACE = 10_000;

/** Refresh tokens: single use, each exchanged for the next of its authorization's chain, and only digests stored. */
@Injectable()
export class RefreshTokenService {
  constructor(
    private readonly store: RefreshTokensStore,
    private readonly transactions: Transactions,
    private readonly endings: AuthorizationEndings,
    private readonly audit: Audit,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  /** A text for a new token, of which only the digest is stored. */
  mint(): string {
    return mintSecret('sam_refresh');
  }

  /** Stores the first refresh token of an authorization. @returns its text, which cannot be read again */
  async begin(tx: EntityManager, authorizationId: string): Promise<string> {
    const token = this.mint();
    await this.store.insert(tx, { digest: digest(token), authorizationId });
    return token;
  }

  /** The token that an app presents, whatever became of it. @throws OAuthError invalid_grant where it is none of this app */
  async find(app: App, presented: string): Promise<StoredToken> {
    const token = await this.lookUp(presented);
    if (!token) throw invalidGrant('unknown');
    if (token.appId !== app.id) throw invalidGrant('of another app');
    return token;
  }

  isValid(token: StoredToken): boolean {
    return refusedState(token, new Date()) === undefined;
  }

  /**
   * Spends a token and stores its successor, both or neither (RFC 6749 §6, RFC 9700 §4.14): of any number that present the
   * same token at once, in any number of processes, exactly one gets a successor.
   * @param successor its text, which is answered once it is kept
   * @param sealed the answer, where it is to be found again
   * @returns whether the token was valid until now, and so is spent
   */
  rotate(token: StoredToken, successor: string, sealed?: SealedAnswer): Promise<Committed<boolean>> {
    return this.store.rotate({ spent: token.digest, successor: digest(successor), sealed });
  }

  /**
   * Says why a token is not spent, once all that its presentation means is written.
   * @throws OAuthError invalid_grant
   */
  async refuse(token: StoredToken): Promise<never> {
    throw invalidGrant(await this.transactions.run((tx) => this.noteReuse(tx, token)));
  }

  /**
   * Ends the chain that a token belongs to, whatever became of the token (RFC 7009 §2.1): an app that signs out while it
   * refreshes leaves nothing behind. A token that is unknown, or another app's, is left as it is.
   */
  async revoke(app: App, presented: string): Promise<void> {
    const token = await this.lookUp(presented);
    if (token?.appId === app.id) {
      await this.transactions.run((tx) => this.endings.end(tx, endingOf(token), 'The app revoked it.'));
    }
  }

  private async lookUp(presented: string): Promise<StoredToken | undefined> {
    return isWellFormed('sam_refresh', presented) ? this.store.find(digest(presented)) : undefined;
  }

  /** The token's state now. One that was used before may be in a thief's hands, so that is kept for the record. */
  private async noteReuse(tx: EntityManager, { digest }: StoredToken): Promise<RefusedState> {
    const token = await this.store.read(tx, digest);
    const state = token ? (refusedState(token, new Date()) ?? 'blocked') : 'unknown'; // blocked can end meanwhile
    if (!token || state !== 'used') return state;
    const successor = await this.store.read(tx, token.successorDigest!);
    this.metrics[successor?.usedAt === null ? 'lostAnswers' : 'reuses'].inc();
    const { authorizationId, accountId, appId } = token;
    await this.audit.record(tx, { type: 'refresh_token.reused', accountId, appId, authorizationId });
    if (this.settings.REFRESH_TOKEN_REUSE === 'revoke-grant' && !isRetry(successor)) {
      await this.endings.end(tx, endingOf(token), 'A refresh token was used twice.');
    }
    return state;
  }
}

function isRetry(successor: StoredToken | undefined): boolean {
  return successor?.usedAt === null && successor.issuedAt.getTime() > Date.now() - RETRY_GRACE;
}

function endingOf({ authorizationId: id, accountId, appId }: StoredToken): Ended {
  return { id, accountId, appId };
}
