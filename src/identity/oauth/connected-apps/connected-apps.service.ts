import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { App } from '../../clients/app.entity.js';
import { AppsStore } from '../../clients/apps.store.js';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AuthorizationsService } from '../authorizations.service.js';
import { Authorization } from '../authorization.entity.js';
import type { Consent } from '../consents/consent.entity.js';
import { ConsentsService, type ConsentKey } from '../consents/consents.service.js';
import { RefreshToken } from '../refresh-token.entity.js';

/** What an app holds: an authorization, of one device, that it can still use. */
export interface ActiveAuthorization {
  authorization: Authorization;
  /** When the app last fetched tokens. */
  lastUsedAt: Date;
}

/** An app that may act for a person, or may come back without asking. */
export interface ConnectedApp {
  app: App;
  /** What the person allowed; null where the operator gave access. */
  consent: Consent | null;
  activeAuthorizations: ActiveAuthorization[];
}

/** What a person gave to apps, and taking it back. */
@Injectable()
export class ConnectedAppsService {
  private readonly noticeCipher: AesGcmCipher;

  constructor(
    @InjectRepository(RefreshToken) private readonly refreshTokens: Repository<RefreshToken>,
    private readonly consents: ConsentsService,
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: TransactionService,
    settings: Settings,
  ) {
    this.noticeCipher = new AesGcmCipher(settings.MASTER_SECRET, 'removed-apps');
  }

  /** All apps of a person, the one last used first. */
  async list(accountId: string): Promise<ConnectedApp[]> {
    const connected = new Map<string, ConnectedApp>();
    const of = (app: App): ConnectedApp => {
      const entry = connected.get(app.id) ?? { app, consent: null, activeAuthorizations: [] };
      connected.set(app.id, entry);
      return entry;
    };
    for (const { authorization, issuedAt } of await this.findActiveTokens({ accountId })) {
      of(authorization.app).activeAuthorizations.push({ authorization, lastUsedAt: issuedAt });
    }
    for (const consent of await this.consents.findByAccount(accountId)) of(consent.app).consent = consent;
    return [...connected.values()];
  }

  /**
   * Takes back what an app holds: one authorization, or what it was allowed where it holds none. With its last authorization
   * goes what it was allowed, so that it must ask again.
   * @param what the id of an authorization or of an app
   * @returns a note of it for `removed`, or undefined where the person gave nothing
   */
  async remove(accountId: string, what: string): Promise<string | undefined> {
    const appId = await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      return isId('aut', what)
        ? this.revokeAuthorization(tx, accountId, what)
        : this.withdrawConsent(tx, { accountId, appId: what });
    });
    return appId === null ? undefined : this.noticeCipher.encrypt(`${accountId} ${appId}`);
  }

  /** The app that a note tells of; none where the note is not of this person's removing. */
  async findRemovedApp(accountId: string, note: string): Promise<App | null> {
    const [of, appId = ''] = this.noticeCipher.decrypt(note)?.split(' ') ?? [];
    return of === accountId ? this.apps.find(appId) : null;
  }

  private async revokeAuthorization(tx: EntityManager, accountId: string, id: string): Promise<string | null> {
    const authorization = await tx.findOneBy(Authorization, { id, accountId });
    if (!authorization) return null;
    const parties = { accountId, appId: authorization.appId };
    await this.authorizations.revoke(tx, authorization, 'The person removed the access.');
    if ((await this.findActiveTokens(parties, tx)).length === 0) await this.consents.withdraw(tx, parties);
    return parties.appId;
  }

  private async withdrawConsent(tx: EntityManager, parties: ConsentKey): Promise<string | null> {
    if (!isId('app', parties.appId)) return null;
    for (const { authorization } of await this.findActiveTokens(parties, tx)) {
      await this.authorizations.revoke(tx, authorization, 'The person removed the access.');
    }
    return (await this.consents.withdraw(tx, parties)) ? parties.appId : null;
  }

  /** The refresh tokens that apps can still use for a person: one for each authorization, the latest first. */
  private findActiveTokens(
    of: Partial<ConsentKey>,
    tx: EntityManager = this.refreshTokens.manager,
  ): Promise<RefreshToken[]> {
    const authorization = { ...of, revokedAt: IsNull() };
    return tx.find(RefreshToken, {
      where: { usedAt: IsNull(), expiresAt: MoreThan(new Date()), authorization },
      relations: { authorization: { app: true } },
      order: { issuedAt: 'DESC', digest: 'ASC' },
    });
  }
}
