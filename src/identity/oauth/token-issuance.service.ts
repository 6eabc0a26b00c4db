import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { App } from '../clients/app.entity.js';
import { AppsStore } from '../clients/apps.store.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { generateId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { IdTokensService } from '../openid/id-tokens.service.js';
import { AccessTokensService } from '../scopes/access-tokens.service.js';
import { type Scope, parseScope } from '../scopes/scopes.js';
import { Authorization } from './authorization.entity.js';
import { RefreshTokensService } from './refresh-tokens.service.js';
import { type TokenResponse, toTokenResponse } from './token-response.dto.js';

/** What a person granted to an app. */
export interface NewAuthorization {
  account: Account;
  app: App;
  scopes: Scope[];
  /** When the person last proved who they are. */
  authTime: Date;
  /** When the person said yes; never, where the operator issues tokens. */
  consentedAt?: Date | null;
  /** Of an OpenID Connect request. */
  nonce?: string | null;
}

/** A new authorization. */
export interface CreatedAuthorization {
  id: string;
  /** The text of its first refresh token. */
  refreshToken: string;
}

/** Tokens that cannot be issued as asked: a sentence that says why. */
export class TokenIssuanceError extends Error {
  override readonly name = 'GrantRefused';
}

/** Turns a person's consent into an authorization and its first tokens. */
@Injectable()
export class TokenIssuanceService {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly refreshTokens: RefreshTokensService,
    private readonly idTokens: IdTokensService,
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A token pair that no person consented to, for an operator who tries things out; kept in the audit.
   * @throws GrantRefused where the app may not ask for a scope, is disabled, or the person is blocked
   */
  async issueByOperator(appId: string, username: string, scope: string): Promise<TokenResponse> {
    const [app, account] = [await this.apps.get(appId), await this.accounts.getByLogin(username)];
    if (app.disabledAt) throw new TokenIssuanceError(`The app ${app.name} is disabled.`);
    if (account.blockedAt) throw new TokenIssuanceError(`The account ${account.username} is blocked.`);
    const asked = parseScope(scope);
    const extra = asked.find((name) => !(app.scopes as string[]).includes(name));
    if (extra !== undefined)
      throw new TokenIssuanceError(`The app ${app.name} is not registered for the scope ${extra}.`);
    if (asked.length === 0) throw new TokenIssuanceError('A token needs at least one scope.');
    const granted = { account, app, scopes: asked as Scope[], authTime: new Date() };
    const { refreshToken } = await this.transactions.run(async (tx) => {
      await this.audit.record(tx, { type: 'tokens.issued', accountId: account.id, appId, detail: asked.join(' ') });
      return this.createAuthorization(tx, granted);
    });
    return this.createTokenResponse(granted, refreshToken);
  }

  /** A new authorization, with a chain of refresh tokens of its own. */
  async createAuthorization(
    tx: EntityManager,
    { account, app, scopes, authTime, consentedAt = null }: NewAuthorization,
  ): Promise<CreatedAuthorization> {
    const id = generateId('aut');
    const createdAt = new Date();
    await tx.insert(Authorization, {
      id,
      accountId: account.id,
      appId: app.id,
      scopes,
      authTime,
      consentedAt,
      createdAt,
      revokedAt: null,
    });
    return { id, refreshToken: await this.refreshTokens.create(tx, id) };
  }

  /** The tokens of a new authorization, with an id token where `openid` was granted. */
  createTokenResponse(
    { account, app, scopes, authTime, nonce = null }: NewAuthorization,
    refreshToken: string,
  ): TokenResponse {
    const accessToken = this.accessTokens.sign(account.id, app.id, scopes);
    const response = toTokenResponse({
      accessToken,
      lifetimeSeconds: this.accessTokens.lifetimeSeconds,
      refreshToken,
      scopes,
    });
    if (!scopes.includes('openid')) return response;
    return { ...response, id_token: this.idTokens.sign({ account, app, authTime, accessToken, nonce }) };
  }
}
