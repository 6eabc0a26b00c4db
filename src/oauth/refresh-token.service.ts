import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import type { App } from '../apps/app.entity.js';
import { Audit } from '../audit/audit.service.js';
import { Settings } from '../config/settings.js';
import { digest, isWellFormed, mintSecret } from '../crypto/opaque-secret.js';
import { Transactions } from '../database/transactions.js';
import { AuthorizationEndings } from './authorization-endings.js';
import { Authorization } from './authorization.entity.js';
import { OAuthError } from './oauth-error.js';
import { RefreshToken } from './refresh-token.entity.js';
import { type RefusedState, refusedState, REFUSALS } from './refresh-token-state.js';

/** Milliseconds in which an unused successor tells a client that tried twice from a thief (RFC 9700 §4.14.2). */
const RETRY_GRACE = 10_000;

/** Refresh tokens: single use, each exchanged for the next of its authorization's chain, and only digests stored. */
@Injectable()
export class RefreshTokenService {
  constructor(
    @InjectRepository(RefreshToken) private readonly tokens: Repository<RefreshToken>,
    private readonly transactions: Transactions,
    private readonly endings: AuthorizationEndings,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  /** Stores the first refresh token of an authorization. @returns its text, which cannot be read again */
  async begin(tx: EntityManager, authorizationId: string): Promise<string> {
    const token = mintSecret('sam_refresh');
    await tx.insert(RefreshToken, this.row(token, authorizationId));
    return token;
  }

  /**
   * The valid token that an app presents, with its authorization.
   * @throws OAuthError invalid_grant that says why it is none; nothing is spent then
   */
  async find(app: App, presented: string): Promise<RefreshToken> {
    const token = await this.lookUp(presented);
    if (!token) throw invalidGrant('unknown');
    if (token.authorization.appId !== app.id) throw invalidGrant('of another app');
    if (refusedState(token, new Date())) await this.refuse(token);
    return token;
  }

  /**
   * Spends a token and stores its successor, both or neither (RFC 6749 §6, RFC 9700 §4.14). One conditional write decides:
   * of any number that present the same token at once, in any number of processes, exactly one gets a successor.
   * @returns the successor's text
   * @throws OAuthError invalid_grant that says in which state the token is; nothing is spent then
   */
  async rotate(token: RefreshToken): Promise<string> {
    const successor = mintSecret('sam_refresh');
    const isSpent = await this.transactions.together(token.digest, async (tx) => {
      if (!(await this.spend(tx, token, digest(successor)))) return false;
      await tx.insert(RefreshToken, this.row(successor, token.authorizationId));
      return true;
    });
    if (!isSpent) await this.refuse(token);
    return successor;
  }

  /**
   * Ends the chain that a token belongs to, whatever became of the token (RFC 7009 §2.1): an app that signs out while it
   * refreshes leaves nothing behind. A token that is unknown, or another app's, is left as it is.
   */
  async revoke(app: App, presented: string): Promise<void> {
    const token = await this.lookUp(presented);
    if (token?.authorization.appId === app.id) {
      await this.transactions.run((tx) => this.endings.end(tx, token.authorization, 'The app revoked it.'));
    }
  }

  private async lookUp(presented: string): Promise<RefreshToken | null> {
    if (!isWellFormed('sam_refresh', presented)) return null;
    return this.tokens.findOne({
      where: { digest: digest(presented) },
      relations: { authorization: { account: true } },
    });
  }

  /** The write that decides. It holds every condition itself, for each may have changed since the token was looked up. */
  private async spend(tx: EntityManager, token: RefreshToken, successorDigest: string): Promise<boolean> {
    const usedAt = new Date();
    const live = tx
      .createQueryBuilder(Authorization, 'chain')
      .select('1')
      .innerJoin('chain.account', 'person')
      .where('chain.id = :chainId AND chain.revokedAt IS NULL AND person.blockedAt IS NULL');
    const { affected } = await tx
      .createQueryBuilder()
      .update(RefreshToken)
      .set({ usedAt, successorDigest })
      .where({ digest: token.digest, usedAt: IsNull(), expiresAt: MoreThan(usedAt) })
      .andWhere(`EXISTS (${live.getQuery()})`, { chainId: token.authorizationId })
      .execute();
    return affected === 1;
  }

  /** Says why a token is not spent, once all that its presentation means is written. */
  private async refuse(token: RefreshToken): Promise<never> {
    throw invalidGrant(await this.transactions.run((tx) => this.noteReuse(tx, token)));
  }

  /** The token's state now. One that was used before may be in a thief's hands, so that is kept for the record. */
  private async noteReuse(tx: EntityManager, { digest }: RefreshToken): Promise<RefusedState> {
    const relations = { authorization: { account: true } };
    const token = await tx.findOneOrFail(RefreshToken, { where: { digest }, relations });
    const state = refusedState(token, new Date()) ?? 'blocked'; // the one state that can end meanwhile
    if (state !== 'used') return state;
    const { id, accountId, appId } = token.authorization;
    await this.audit.record(tx, { type: 'refresh_token.reused', accountId, appId, authorizationId: id });
    if (this.settings.REFRESH_TOKEN_REUSE === 'revoke-grant' && !(await this.isRetry(tx, token))) {
      await this.endings.end(tx, token.authorization, 'A refresh token was used twice.');
    }
    return state;
  }

  private async isRetry(tx: EntityManager, { successorDigest }: RefreshToken): Promise<boolean> {
    const since = new Date(Date.now() - RETRY_GRACE);
    return tx.existsBy(RefreshToken, { digest: successorDigest!, usedAt: IsNull(), issuedAt: MoreThan(since) });
  }

  private row(token: string, authorizationId: string): RefreshTokenRow {
    const issuedAt = new Date();
    const expiresAt = new Date(issuedAt.getTime() + this.settings.REFRESH_TOKEN_LIFETIME * 1000);
    return { digest: digest(token), authorizationId, issuedAt, expiresAt, usedAt: null, successorDigest: null };
  }
}

type RefreshTokenRow = Omit<RefreshToken, 'authorization'>;

function invalidGrant(state: RefusedState): OAuthError {
  return new OAuthError('invalid_grant', REFUSALS[state]);
}
