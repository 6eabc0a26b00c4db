import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { App } from '../apps/app.entity.js';
import { Audit } from '../audit/audit.service.js';
import { Settings } from '../config/settings.js';
import { digest, isWellFormed, mintSecret } from '../crypto/opaque-secret.js';
import { type Committed, Transactions } from '../database/transactions.js';
import { AuthorizationEndings, type Ended } from './authorization-endings.js';
import { OAuthError } from './oauth-error.js';
import { type RefusedState, refusedState, REFUSALS } from './refresh-token-state.js';
import { RefreshTokensStore, type StoredToken } from './refresh-tokens-store.js';

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
    private readonly settings: Settings,
  ) {}

  /** Stores the first refresh token of an authorization. @returns its text, which cannot be read again */
  async begin(tx: EntityManager, authorizationId: string): Promise<string> {
    const token = mintSecret('sam_refresh');
    await this.store.insert(tx, { digest: digest(token), authorizationId });
    return token;
  }

  /**
   * The valid token that an app presents.
   * @throws OAuthError invalid_grant that says why it is none; nothing is spent then
   */
  async find(app: App, presented: string): Promise<StoredToken> {
    const token = await this.lookUp(presented);
    if (!token) throw invalidGrant('unknown');
    if (token.appId !== app.id) throw invalidGrant('of another app');
    if (refusedState(token, new Date())) await this.refuse(token);
    return token;
  }

  /**
   * Spends a token and stores its successor, both or neither (RFC 6749 §6, RFC 9700 §4.14): of any number that present the
   * same token at once, in any number of processes, exactly one gets a successor.
   * @returns the successor's text, which is answered once it is kept
   * @throws OAuthError invalid_grant that says in which state the token is; nothing is spent then
   */
  async rotate(token: StoredToken): Promise<Committed<string>> {
    const successor = mintSecret('sam_refresh');
    const { result: isSpent, kept } = await this.store.rotate({ spent: token.digest, successor: digest(successor) });
    if (!isSpent) await this.refuse(token);
    return { result: successor, kept };
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

  /** Says why a token is not spent, once all that its presentation means is written. */
  private async refuse(token: StoredToken): Promise<never> {
    throw invalidGrant(await this.transactions.run((tx) => this.noteReuse(tx, token)));
  }

  /** The token's state now. One that was used before may be in a thief's hands, so that is kept for the record. */
  private async noteReuse(tx: EntityManager, { digest }: StoredToken): Promise<RefusedState> {
    const token = await this.store.read(tx, digest);
    const state = token ? (refusedState(token, new Date()) ?? 'blocked') : 'unknown'; // blocked can end meanwhile
    if (!token || state !== 'used') return state;
    const { authorizationId, accountId, appId } = token;
    await this.audit.record(tx, { type: 'refresh_token.reused', accountId, appId, authorizationId });
    if (this.settings.REFRESH_TOKEN_REUSE === 'revoke-grant' && !(await this.isRetry(tx, token))) {
      await this.endings.end(tx, endingOf(token), 'A refresh token was used twice.');
    }
    return state;
  }

  private async isRetry(tx: EntityManager, { successorDigest }: StoredToken): Promise<boolean> {
    const successor = await this.store.read(tx, successorDigest!);
    return successor?.usedAt === null && successor.issuedAt.getTime() > Date.now() - RETRY_GRACE;
  }
}

function endingOf({ authorizationId: id, accountId, appId }: StoredToken): Ended {
  return { id, accountId, appId };
}

function invalidGrant(state: RefusedState): OAuthError {
  return new OAuthError('invalid_grant', REFUSALS[state]);
}
