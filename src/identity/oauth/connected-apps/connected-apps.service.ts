import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AppRecordService } from '../../app-record/app-record.service.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { App } from '../../apps/app.entity.js';
import { AppsStore } from '../../apps/apps.store.js';
import type { Scope } from '../../scopes/scopes.js';
import { getAllowedScopes } from '../refresh-token-validity.js';
import { Authorization } from '../authorization.entity.js';
import { AuthorizationsService } from '../authorizations.service.js';
import type { Consent } from '../consents/consent.entity.js';
import { type AccountAndApp, ConsentsService } from '../consents/consents.service.js';
import { RefreshToken } from '../refresh-token.entity.js';
import { AppUseWriterService } from './app-use-writer.service.js';

/** An authorization whose refresh token is valid: a sign-in. An app has one for each device. */
export interface ActiveAuthorization {
  authorization: Authorization;
  /** The granted scopes that are allowed now. */
  scopes: Scope[];
  /** When the app last received tokens. */
  lastRenewedAt: Date;
}

/** An app with an active authorization or a consent. */
export interface ConnectedApp {
  app: App;
  /** Null if the operator issued the tokens. */
  consent: Consent | null;
  activeAuthorizations: ActiveAuthorization[];
  /** The day in UTC on which the app last called the API for the person; null if it never did. */
  lastUsedOn: Date | null;
}

/** What a person removed: the whole access of an app, or one of its sign-ins. */
export interface Removal {
  appId: string;
  removed: 'access' | 'sign-in';
}

/** Lists the apps that can act for a person, and removes their access. */
@Injectable()
export class ConnectedAppsService {
  constructor(
    @InjectRepository(RefreshToken) private readonly refreshTokens: Repository<RefreshToken>,
    private readonly consents: ConsentsService,
    private readonly appUses: AppUseWriterService,
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly authorizations: AuthorizationsService,
    private readonly record: AppRecordService,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /** Returns the connected apps of an account. Those that received tokens last come first. */
  async list(accountId: string): Promise<ConnectedApp[]> {
    const tokens = await this.findActiveTokens(accountId);
    const consents = await this.consents.findByAccount(accountId);
    const lastUses = await this.appUses.findByAccount(accountId);
    const apps = [...tokens.map(({ authorization }) => authorization.app), ...consents.map(({ app }) => app)];
    return [...new Map(apps.map((app) => [app.id, app])).values()]
      .map((app) => {
        const consent = consents.find(({ appId }) => appId === app.id) ?? null;
        const activeAuthorizations = toActiveAuthorizations(app, consent, tokens);
        return { app, consent, activeAuthorizations, lastUsedOn: lastUses.get(app.id) ?? null };
      })
      .filter(
        ({ app, consent, activeAuthorizations }) => !app.deletedAt && (consent || activeAuthorizations.length > 0),
      );
  }

  /** Returns an app that is or was connected, by its `client_id`, or null. */
  async find(accountId: string, clientId: string): Promise<ConnectedApp | null> {
    const app = await this.apps.find(clientId);
    if (!app) return null;
    const connected = (await this.list(accountId)).find((other) => other.app.id === app.id);
    if (connected) return connected;
    const wasConnected = await this.wasConnected(this.refreshTokens.manager, { accountId, appId: app.id });
    return wasConnected ? { app, consent: null, activeAuthorizations: [], lastUsedOn: null } : null;
  }

  /**
   * Removes the access of an app, or ends one of its sign-ins. A repeated request changes nothing
   * and has the same result.
   * @param targetId id of an app or of an authorization
   * @returns what was removed; null if the app was never connected
   */
  remove(accountId: string, targetId: string): Promise<Removal | null> {
    return this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      return isId('aut', targetId)
        ? this.endSignIn(tx, { id: targetId, accountId })
        : this.removeAccess(tx, { accountId, appId: targetId });
    });
  }

  /**
   * Ends every authorization of an account and withdraws every consent. The caller has locked the
   * account. Issued access tokens work until they expire.
   * @param detail a sentence for the audit log: the actor and the reason
   */
  async removeAll(tx: EntityManager, accountId: string, detail: string): Promise<void> {
    const authorizations = await tx.findBy(Authorization, { accountId, revokedAt: IsNull() });
    for (const authorization of authorizations) await this.authorizations.revoke(tx, authorization, detail);
    await this.consents.withdrawAll(tx, accountId);
  }

  /**
   * Ends one sign-in and keeps the consent: the person ends a sign-in, and does not forbid the app
   * to start another one.
   */
  private async endSignIn(tx: EntityManager, where: Pick<Authorization, 'id' | 'accountId'>): Promise<Removal | null> {
    const authorization = await tx.findOneBy(Authorization, where);
    if (!authorization) return null;
    await this.authorizations.revoke(tx, authorization, 'The person ended this sign-in.');
    return { appId: authorization.appId, removed: 'sign-in' };
  }

  /** Ends all sign-ins and withdraws the consent, which also ends codes that were not exchanged. */
  private async removeAccess(tx: EntityManager, key: AccountAndApp): Promise<Removal | null> {
    if (!isId('app', key.appId)) return null;
    for (const { authorization } of await this.findUnusedTokens(tx, key)) {
      await this.authorizations.revoke(tx, authorization, 'The person removed the access.');
    }
    await this.consents.withdraw(tx, key);
    return (await this.wasConnected(tx, key)) ? { appId: key.appId, removed: 'access' } : null;
  }

  private async wasConnected(tx: EntityManager, key: AccountAndApp): Promise<boolean> {
    if (await tx.existsBy(Authorization, key)) return true;
    return (await this.consents.wasGiven(tx, key)) || this.record.hasAny(tx, key);
  }

  /** Returns the valid refresh tokens of an account, one per authorization. */
  private async findActiveTokens(accountId: string): Promise<RefreshToken[]> {
    const tokens = await this.findUnusedTokens(this.refreshTokens.manager, { accountId });
    const { grantLifetimeMs = Infinity } = this.settings;
    return tokens.filter(({ authorization }) => authorization.createdAt.getTime() + grantLifetimeMs > Date.now());
  }

  /**
   * Returns the unused refresh tokens, the last issued first. They include those beyond
   * `GRANT_LIFETIME`, because the operator may raise it later.
   */
  private findUnusedTokens(tx: EntityManager, key: Partial<AccountAndApp>): Promise<RefreshToken[]> {
    const authorization = { ...key, revokedAt: IsNull() };
    return tx.find(RefreshToken, {
      where: { usedAt: IsNull(), expiresAt: MoreThan(new Date()), authorization },
      relations: { authorization: { app: true } },
      order: { issuedAt: 'DESC', digest: 'ASC' },
    });
  }
}

/** Returns the authorizations of an app that give it a scope now. */
function toActiveAuthorizations(app: App, consent: Consent | null, tokens: RefreshToken[]): ActiveAuthorization[] {
  return tokens
    .filter(({ authorization }) => authorization.appId === app.id)
    .map(({ authorization, issuedAt }) => ({
      authorization,
      scopes: getAllowedScopes(authorization, app, consent),
      lastRenewedAt: issuedAt,
    }))
    .filter(({ scopes }) => scopes.length > 0);
}
