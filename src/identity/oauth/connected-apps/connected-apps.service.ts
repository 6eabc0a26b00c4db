import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { App } from '../../clients/app.entity.js';
import { AppsStore } from '../../clients/apps.store.js';
import { Authorization } from '../authorization.entity.js';
import { AuthorizationsService } from '../authorizations.service.js';
import type { Consent } from '../consents/consent.entity.js';
import { type ConsentKey, ConsentsService } from '../consents/consents.service.js';
import { RefreshToken } from '../refresh-token.entity.js';

/** An authorization whose refresh token is valid. An app has one for each device. */
export interface ActiveAuthorization {
  authorization: Authorization;
  /** When the app last received tokens. */
  lastUsedAt: Date;
}

/** An app with an active authorization or a consent. */
export interface ConnectedApp {
  app: App;
  /** Null if the operator issued the tokens. */
  consent: Consent | null;
  activeAuthorizations: ActiveAuthorization[];
}

/** Lists the apps that can act for a person, and removes their access. */
@Injectable()
export class ConnectedAppsService {
  private readonly removalCipher: AesGcmCipher;

  constructor(
    @InjectRepository(RefreshToken) private readonly refreshTokens: Repository<RefreshToken>,
    private readonly consents: ConsentsService,
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: TransactionService,
    settings: Settings,
  ) {
    this.removalCipher = new AesGcmCipher(settings.MASTER_SECRET, 'removed-apps');
  }

  /** Returns the connected apps of an account, the last used first. */
  async list(accountId: string): Promise<ConnectedApp[]> {
    const connectedApps = new Map<string, ConnectedApp>();
    const getOrAdd = (app: App): ConnectedApp => {
      const entry = connectedApps.get(app.id) ?? { app, consent: null, activeAuthorizations: [] };
      connectedApps.set(app.id, entry);
      return entry;
    };
    for (const { authorization, issuedAt } of await this.findActiveTokens({ accountId })) {
      getOrAdd(authorization.app).activeAuthorizations.push({ authorization, lastUsedAt: issuedAt });
    }
    for (const consent of await this.consents.findByAccount(accountId)) getOrAdd(consent.app).consent = consent;
    return [...connectedApps.values()];
  }

  /**
   * Revokes one authorization, or all authorizations of an app with its consent. The consent is
   * also withdrawn with the last authorization, so that the app must request consent again.
   * @param targetId id of an authorization or of an app
   * @returns an encrypted note for `findRemovedApp`, or undefined if there was nothing to remove
   */
  async remove(accountId: string, targetId: string): Promise<string | undefined> {
    const appId = await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      return isId('aut', targetId)
        ? this.revokeAuthorization(tx, accountId, targetId)
        : this.withdrawConsent(tx, { accountId, appId: targetId });
    });
    return appId === null ? undefined : this.removalCipher.encrypt(`${accountId} ${appId}`);
  }

  /** Returns the app that a note of `remove` names, or null if the note is of another account. */
  async findRemovedApp(accountId: string, encryptedNote: string): Promise<App | null> {
    const [notedAccountId, appId = ''] = this.removalCipher.decrypt(encryptedNote)?.split(' ') ?? [];
    return notedAccountId === accountId ? this.apps.find(appId) : null;
  }

  private async revokeAuthorization(tx: EntityManager, accountId: string, id: string): Promise<string | null> {
    const authorization = await tx.findOneBy(Authorization, { id, accountId });
    if (!authorization) return null;
    const key = { accountId, appId: authorization.appId };
    await this.authorizations.revoke(tx, authorization, 'The person removed the access.');
    if ((await this.findActiveTokens(key, tx)).length === 0) await this.consents.withdraw(tx, key);
    return key.appId;
  }

  private async withdrawConsent(tx: EntityManager, key: ConsentKey): Promise<string | null> {
    if (!isId('app', key.appId)) return null;
    for (const { authorization } of await this.findActiveTokens(key, tx)) {
      await this.authorizations.revoke(tx, authorization, 'The person removed the access.');
    }
    return (await this.consents.withdraw(tx, key)) ? key.appId : null;
  }

  /**
   * Returns the valid refresh tokens of an account, one per authorization, the last issued first.
   */
  private findActiveTokens(
    key: Partial<ConsentKey>,
    tx: EntityManager = this.refreshTokens.manager,
  ): Promise<RefreshToken[]> {
    const authorization = { ...key, revokedAt: IsNull() };
    return tx.find(RefreshToken, {
      where: { usedAt: IsNull(), expiresAt: MoreThan(new Date()), authorization },
      relations: { authorization: { app: true } },
      order: { issuedAt: 'DESC', digest: 'ASC' },
    });
  }
}
