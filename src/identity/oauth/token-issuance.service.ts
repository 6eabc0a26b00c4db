import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { isBlocked } from '../accounts/account.entity.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { AppsStore } from '../apps/apps.store.js';
import { IdTokensService } from '../openid/id-tokens.service.js';
import { AccessTokensService } from '../scopes/access-tokens.service.js';
import { type Resource, RESOURCES } from '../scopes/resources.js';
import type { Scope } from '../scopes/scopes.js';
import { AuthorizationsService, type NewAuthorization } from './authorizations.service.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { type TokenResponse, toTokenResponse } from './token.dto.js';

/** A new authorization. */
export interface CreatedAuthorization {
  id: string;
  /** The text of its first refresh token. */
  refreshToken: string;
}

/** Tokens that an operator cannot issue. The message of the error says why. */
export class TokenIssuanceError extends Error {
  override readonly name = 'TokenIssuanceError';
}

/** Creates authorizations and issues their first tokens. */
@Injectable()
export class TokenIssuanceService {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly refreshTokens: RefreshTokenService,
    private readonly accessTokens: AccessTokensService,
    private readonly idTokens: IdTokensService,
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Issues tokens without consent, for an operator who tests an app. The audit log records it.
   * @param scopes at least one
   * @throws TokenIssuanceError if the app is disabled or lacks a scope, or the account is blocked
   */
  async issueByOperator(appId: string, username: string, scopes: string[]): Promise<TokenResponse> {
    const [app, account] = [await this.apps.get(appId), await this.accounts.getByUsernameOrEmail(username)];
    if (app.disabledAt)
      throw new TokenIssuanceError(`The app ${app.name} is disabled. To enable it, run apps enable ${app.id}.`);
    if (app.metadataUrl !== null)
      throw new TokenIssuanceError(`The app ${app.name} is not registered. Only a person can allow it.`);
    if (isBlocked(account))
      throw new TokenIssuanceError(
        `The account ${account.username} is blocked. To unblock it, run accounts unblock ${account.username}.`,
      );
    const unregistered = scopes.find((name) => !(app.scopes as string[]).includes(name));
    if (unregistered !== undefined) {
      throw new TokenIssuanceError(
        `--scope must name scopes of the app: ${app.name} is not registered for the scope ${unregistered}.`,
      );
    }
    const authorization = { account, app, scopes: scopes as Scope[], resources: RESOURCES, authTime: new Date() };
    const { refreshToken } = await this.transactions.run(async (tx) => {
      await this.audit.record(tx, { type: 'tokens.issued', accountId: account.id, appId, detail: scopes.join(' ') });
      return this.createAuthorization(tx, authorization);
    });
    return this.createTokenResponse(authorization, refreshToken);
  }

  /** Creates an authorization with its first refresh token. */
  async createAuthorization(tx: EntityManager, authorization: NewAuthorization): Promise<CreatedAuthorization> {
    const created = await this.authorizations.create(tx, authorization);
    return { id: created.id, refreshToken: await this.refreshTokens.create(tx, created) };
  }

  /**
   * Creates the token response of a new authorization, with an ID token if `openid` was granted.
   * @param jkt thumbprint of the key to which the access token is bound
   */
  createTokenResponse(
    { account, app, scopes, authTime, amr, nonce = null }: NewAuthorization,
    refreshToken: string,
    resource: Resource = 'api',
    jkt?: string,
  ): TokenResponse {
    const accessToken = this.accessTokens.sign(account.id, app.id, scopes, resource, jkt);
    const { lifetimeSeconds } = this.accessTokens;
    const response = toTokenResponse({ accessToken, lifetimeSeconds, refreshToken, scopes, jkt });
    if (!scopes.includes('openid')) return response;
    const idToken = this.idTokens.sign({ account, app, scopes, authTime, ...(amr && { amr }), accessToken, nonce });
    return { ...response, id_token: idToken };
  }
}
