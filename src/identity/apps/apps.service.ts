import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AuditEventType } from '../../platform/audit/audit-event.entity.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { computeDigest, generateSecret } from '../../platform/crypto/opaque-secret.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { DatabasePollService } from '../../platform/scheduling/database-poll.service.js';
import { createAccountNotFoundError } from '../accounts/account-errors.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { App, FormerName } from './app.entity.js';
import { type AppSettingsInput, parseAppSettings, resolveListing } from './app-settings.js';
import { type AppConditions, AppsStore, createAppNotFoundError } from './apps.store.js';
import { AppIconsService } from './app-icons.service.js';
import { AccountMailService } from '../accounts/account-mail.service.js';
import { type AppWithSecret, buildApp, type NewApp, NO_PREVIOUS_SECRET } from './new-app.js';

interface RotateSecretOptions {
  /** Milliseconds for which the previous secret stays valid. */
  previousSecretTtlMs?: number;
  /** The account that rotates the secret; null for the operator. */
  actorId?: string | null;
}

/** Minimum interval between two audit events about the use of a previous secret. */
const PREVIOUS_SECRET_USE_INTERVAL_MS = 3600_000;

/** Limit of apps that one account registers, disabled ones included. */
const MAX_APPS_PER_ACCOUNT = 25;

/** Limit of former names that stay reserved for an app. */
const MAX_FORMER_NAMES = 20;

type AppChanges = QueryDeepPartialEntity<App>;

/** Registers apps and changes their settings, client secret and availability. */
@Injectable()
export class AppsService {
  constructor(
    private readonly apps: AppsStore,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly databasePoll: DatabasePollService,
    private readonly mail: AccountMailService,
    private readonly icons: AppIconsService,
  ) {}

  /**
   * Registers an app.
   * @throws InvalidFieldsError if a setting is invalid; DomainError at the limit of apps,
   * or not_found if the owner's account was deleted
   */
  async register(newApp: NewApp): Promise<AppWithSecret> {
    const registered = buildApp(newApp);
    const { app } = registered;
    await this.transactions.run(async (tx) => {
      await lock(tx, 'appsOfOwner', app.ownerId ?? app.id);
      await this.assertOwnerExists(tx, app.ownerId);
      await this.assertBelowLimit(tx, app.ownerId);
      await this.assertNameAvailable(tx, app);
      await this.apps.insert(tx, app);
      await this.audit.record(tx, { type: 'app.registered', accountId: app.ownerId, appId: app.id });
    });
    return registered;
  }

  /**
   * Gives an app a new client secret. The previous one becomes invalid at once, unless it has a
   * TTL. The owner of the app gets an e-mail.
   * @throws DomainError if the app is a public client
   */
  async rotateSecret(
    id: string,
    { previousSecretTtlMs = 0, actorId = null }: RotateSecretOptions = {},
  ): Promise<AppWithSecret> {
    const { clientType, ownerId, name } = await this.apps.get(id);
    if (clientType === 'public') {
      throw new DomainError('conflict', 'public_client', `The app ${id} is a public client and has no client secret.`);
    }
    const clientSecret = generateSecret('sam_secret');
    const previousSecret = previousSecretTtlMs > 0 && {
      previousSecretDigest: () => 'secret_digest',
      previousSecretExpiresAt: new Date(Date.now() + previousSecretTtlMs),
    };
    const changes = { secretDigest: computeDigest(clientSecret), ...NO_PREVIOUS_SECRET, ...previousSecret };
    const prepare = async (tx: EntityManager): Promise<AppChanges> => {
      if (ownerId === null) return changes;
      const owner = await this.accounts.findForUpdate(tx, ownerId);
      await this.mail.enqueue(tx, owner, 'secretReplaced', { values: { app: name } });
      return changes;
    };
    const app = await this.updateAndAudit({ id }, prepare, { type: 'app.secret_rotated', actorId });
    return { app, clientSecret };
  }

  /** Records that the previous secret of an app is still in use, at most once an hour. */
  async recordPreviousSecretUse({ id, previousSecretLastUsedAt }: App): Promise<void> {
    const now = new Date();
    const dueBefore = new Date(now.getTime() - PREVIOUS_SECRET_USE_INTERVAL_MS);
    if (previousSecretLastUsedAt && previousSecretLastUsedAt >= dueBefore) return;
    const conditions = [IsNull(), LessThan(dueBefore)].map((lastUsedAt) => ({
      id,
      previousSecretLastUsedAt: lastUsedAt,
    }));
    await this.transactions.run(async (tx) => {
      const isUpdated = await this.apps.update(tx, conditions, { previousSecretLastUsedAt: now });
      if (isUpdated) await this.audit.record(tx, { type: 'app.old_secret_used', appId: id });
    });
  }

  /**
   * Replaces the settings of an app. It may keep a name that looks like another one. The owner gets
   * an e-mail with the old and the new redirect URIs if they change.
   * @throws InvalidFieldsError if a setting is invalid
   */
  async updateSettings(id: string, settings: AppSettingsInput, actorId: string | null = null): Promise<App> {
    const { clientType } = await this.apps.get(id);
    const changes = parseAppSettings(settings, clientType);
    const prepare = async (tx: EntityManager): Promise<AppChanges> => {
      const app = await this.apps.reload(tx, id);
      if (app.nameSkeleton !== changes.nameSkeleton) await this.assertNameAvailable(tx, { id, ...changes });
      await this.notifyOfRedirectUris(tx, app, changes.redirectUris);
      const listing = resolveListing(app, changes, settings.isOffered);
      return { ...changes, listing, formerNames: listFormerNames(app, changes.name) };
    };
    return this.updateAndAudit({ id }, prepare, { type: 'app.changed', actorId });
  }

  /**
   * Disables an app: it gets no tokens, and its access tokens are rejected. If the owner disables
   * an app that is disabled already, nothing changes.
   * @param actorId the owner; null for the operator or a moderator
   * @param effect runs in the transaction
   */
  async disable(
    id: string,
    actorId: string | null = null,
    effect?: (tx: EntityManager) => Promise<void>,
  ): Promise<App> {
    const isOperator = actorId === null;
    const conditions = isOperator ? { id } : { id, disabledAt: IsNull() };
    const changes = { disabledAt: new Date(), disabledBy: isOperator ? 'operator' : 'owner' } as const;
    const prepare = async (tx: EntityManager): Promise<AppChanges> => {
      await effect?.(tx);
      return changes;
    };
    return this.updateAvailability(conditions, prepare, { type: 'app.disabled', actorId });
  }

  /**
   * Disables the apps of an account, which its owner can enable again. The caller holds the lock
   * `appsOfOwner`.
   */
  async disableByOwner(tx: EntityManager, ownerId: string): Promise<void> {
    for (const { id } of await this.apps.listByOwner(ownerId, tx)) {
      const changes = { disabledAt: new Date(), disabledBy: 'owner' } as const;
      if (!(await this.apps.update(tx, { id, disabledAt: IsNull() }, changes))) continue;
      await this.audit.record(tx, { type: 'app.disabled', accountId: ownerId, appId: id });
    }
  }

  /** Enables a disabled app. An owner cannot enable an app that the operator disabled. */
  async enable(id: string, actorId: string | null = null): Promise<App> {
    const conditions = actorId === null ? { id } : { id, disabledBy: 'owner' as const };
    const changes = { disabledAt: null, disabledBy: null };
    return this.updateAvailability(conditions, changes, { type: 'app.enabled', actorId });
  }

  /** Replaces or removes the icon of an app. @param content an encoded picture; null for none */
  async setIcon(id: string, content: Buffer | null, ownerId: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await lock(tx, 'appsOfOwner', ownerId);
      await this.icons.delete(tx, id);
      const icon = content && (await this.icons.insert(tx, id, content));
      if (!(await this.apps.update(tx, { id, ownerId }, { icon }))) throw createAppNotFoundError(id);
      // The operator approved the icon, too.
      await this.apps.update(tx, { id, listing: 'approved' }, { listing: 'offered' });
      await this.audit.record(tx, { type: 'app.changed', accountId: ownerId, appId: id });
    });
  }

  /**
   * Marks an app as one of the operator's own, or removes the mark.
   * @throws DomainError not_found
   */
  async setFirstParty(id: string, isFirstParty: boolean): Promise<App> {
    return this.updateAndAudit({ id }, { isFirstParty }, { type: 'app.changed', actorId: null });
  }

  /**
   * Approves that `/apps` lists an app, or takes the approval back.
   * @throws DomainError not_found; not_offered if the owner did not offer the app; no_home_page
   */
  async setListed(id: string, isListed: boolean): Promise<App> {
    const prepare = async (tx: EntityManager): Promise<AppChanges> => {
      const { ownerId, listing, homePage } = await this.apps.reload(tx, id);
      const isOffered = ownerId === null ? isListed : listing !== 'none';
      if (!isListed) return { listing: isOffered ? 'offered' : 'none' };
      if (!isOffered) {
        const message = `The owner of the app ${id} does not offer it. Ask them to select “List this app” on its page.`;
        throw new DomainError('conflict', 'not_offered', message);
      }
      if (homePage === null) {
        const message = `The app ${id} has no home page, to which the list links. Register the app with --home-page.`;
        throw new DomainError('conflict', 'no_home_page', message);
      }
      return { listing: 'approved' };
    };
    const detail = isListed ? 'Listed on /apps' : 'Not listed on /apps';
    return this.updateAndAudit({ id }, prepare, { type: 'app.changed', actorId: null, detail });
  }

  /**
   * Gives an app its own limit of token responses.
   * @param limit per minute and network; null for the default of the settings
   * @throws DomainError not_found
   */
  async setTokenRateLimit(id: string, limit: number | null): Promise<App> {
    const detail = `Token rate limit: ${limit === null ? 'default' : `${limit} per minute`}`;
    return this.updateAndAudit({ id }, { tokenRateLimit: limit }, { type: 'app.changed', actorId: null, detail });
  }

  private async notifyOfRedirectUris(tx: EntityManager, app: App, newUris: string[]): Promise<void> {
    const { id, name, ownerId, redirectUris: oldUris } = app;
    const isSame = oldUris.length === newUris.length && newUris.every((uri) => oldUris.includes(uri));
    if (ownerId === null || isSame) return;
    const owner = await this.accounts.findForUpdate(tx, ownerId);
    await this.mail.enqueue(tx, owner, 'redirectUrisChanged', {
      values: { app: name },
      lists: () => ({ oldUris, newUris }),
      path: `/developer/apps/${id}`,
    });
  }

  private async updateAvailability(...update: Parameters<AppsService['updateAndAudit']>): Promise<App> {
    const app = await this.updateAndAudit(...update);
    await this.databasePoll.pollNow();
    return app;
  }

  /**
   * Updates the app if it matches the conditions, and records an event of its owner in that case.
   * @param changes a function runs in the transaction; it throws if the update is not allowed
   * @returns the app after the update
   * @throws DomainError not_found; app_deleted
   */
  private async updateAndAudit(
    conditions: AppConditions,
    changes: AppChanges | ((tx: EntityManager) => Promise<AppChanges>),
    { actorId, ...event }: { type: AuditEventType; actorId: string | null; detail?: string },
  ): Promise<App> {
    const { id, ownerId } = await this.apps.get(conditions.id);
    const isOwner = actorId !== null;
    return this.transactions.run(async (tx) => {
      await lock(tx, 'appsOfOwner', ownerId ?? id);
      await this.assertNotDeleted(tx, id);
      const values = typeof changes === 'function' ? await changes(tx) : changes;
      const isUpdated = await this.apps.update(tx, isOwner ? { ...conditions, ownerId: actorId } : conditions, values);
      // The owner reads the event, and a moderator can have caused it.
      const by = isOwner ? {} : { ipAddress: null };
      if (isUpdated) await this.audit.record(tx, { ...event, ...by, accountId: ownerId, appId: id });
      return this.apps.reload(tx, id);
    });
  }

  /** @throws DomainError app_deleted */
  private async assertNotDeleted(tx: EntityManager, id: string): Promise<void> {
    if (!(await this.apps.reload(tx, id)).deletedAt) return;
    throw new DomainError('conflict', 'app_deleted', `The app ${id} was deleted. Register a new app.`);
  }

  /** @throws DomainError not_found */
  private async assertOwnerExists(tx: EntityManager, ownerId: string | null): Promise<void> {
    const owner = ownerId === null ? null : await this.accounts.findForUpdate(tx, ownerId);
    if (owner?.deletedAt) throw createAccountNotFoundError(owner.id);
  }

  /** @throws DomainError too_many_apps */
  private async assertBelowLimit(tx: EntityManager, ownerId: string | null): Promise<void> {
    if (ownerId === null) return;
    if ((await this.apps.countByOwner(tx, ownerId)) < MAX_APPS_PER_ACCOUNT) return;
    const message = `This account has ${MAX_APPS_PER_ACCOUNT} apps, which is the maximum. Delete one of them first.`;
    throw new DomainError('unprocessable', 'too_many_apps', message);
  }

  /** @throws InvalidFieldsError */
  private async assertNameAvailable(
    tx: EntityManager,
    { id, nameSkeleton }: Pick<App, 'id' | 'nameSkeleton'>,
  ): Promise<void> {
    await lock(tx, 'appNames', nameSkeleton);
    if (await this.apps.hasNameSkeleton(tx, nameSkeleton, id)) {
      throw new InvalidFieldsError([{ field: 'name', code: 'nameTaken' }]);
    }
  }
}

/** Returns the former names of an app after a change of its name. */
export function listFormerNames({ name, nameSkeleton, formerNames }: App, newName: string): FormerName[] {
  if (name === newName) return formerNames;
  const others = formerNames.filter((former) => former.name !== name && former.name !== newName);
  return [{ name, nameSkeleton, until: new Date().toISOString() }, ...others].slice(0, MAX_FORMER_NAMES);
}
