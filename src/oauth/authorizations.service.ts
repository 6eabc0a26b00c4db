import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { Audit } from '../audit/audit.service.js';
import { newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { IdTokens } from '../openid/id-tokens.js';
import { AccessTokens } from '../scopes/access-tokens.js';
import { type Scope, splitScope } from '../scopes/catalogue.js';
import { Authorization } from './authorization.entity.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { type TokenResponse, tokenResponse } from './token-response.js';

/** What a person granted to an app. */
export interface Granted {
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
export interface Begun {
  id: string;
  /** The text of its first refresh token. */
  refreshToken: string;
}

/** Tokens that cannot be issued as asked: a sentence that says why. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** Turns a person's consent into an authorization and its first tokens. */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokenService,
    private readonly idTokens: IdTokens,
    private readonly accounts: AccountsService,
    private readonly apps: AppsService,
    private readonly audit: Audit,
    private readonly transactions: Transactions,
  ) {}

  /**
   * A token pair that no person consented to, for an operator who tries things out; kept in the audit.
   * @throws GrantRefused where the app may not ask for a scope, is disabled, or the person is blocked
   */
  async issueByOperator(appId: string, username: string, scope: string): Promise<TokenResponse> {
    const [app, account] = [await this.apps.get(appId), await this.accounts.named(username)];
    if (app.disabledAt) throw new GrantRefused(`The app ${app.name} is disabled.`);
    if (account.blockedAt) throw new GrantRefused(`The account ${account.username} is blocked.`);
    const asked = splitScope(scope);
    const extra = asked.find((name) => !(app.scopes as string[]).includes(name));
    if (extra !== undefined) throw new GrantRefused(`The app ${app.name} is not registered for the scope ${extra}.`);
    if (asked.length === 0) throw new GrantRefused('A token needs at least one scope.');
    const granted = { account, app, scopes: asked as Scope[], authTime: new Date() };
    const { refreshToken } = await this.transactions.run(async (tx) => {
      await this.audit.record(tx, { type: 'tokens.issued', accountId: account.id, appId, detail: asked.join(' ') });
      return this.begin(tx, granted);
    });
    return this.respond(granted, refreshToken);
  }

  /** A new authorization, with a chain of refresh tokens of its own. */
  async begin(tx: EntityManager, { account, app, scopes, authTime, consentedAt = null }: Granted): Promise<Begun> {
    const id = newId('aut');
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
    return { id, refreshToken: await this.refreshTokens.begin(tx, id) };
  }

  /** The tokens of a new authorization, with an id token where `openid` was granted. */
  respond({ account, app, scopes, authTime, nonce = null }: Granted, refreshToken: string): TokenResponse {
    const accessToken = this.accessTokens.sign(account.id, app.id, scopes);
    const response = tokenResponse({ accessToken, lifetime: this.accessTokens.lifetime, refreshToken, scopes });
    if (!scopes.includes('openid')) return response;
    return { ...response, id_token: this.idTokens.sign({ account, app, authTime, accessToken, nonce }) };
  }
}
