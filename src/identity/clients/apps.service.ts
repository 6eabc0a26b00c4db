import { Injectable } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AuditEventType } from '../../platform/audit/audit-event.entity.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { computeDigest, generateSecret } from '../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import type { App } from './app.entity.js';
import { type AppSettingsInput, parseAppSettings } from './app-settings.js';
import { type AppConditions, AppsStore } from './apps.store.js';
import { type AppWithSecret, buildApp, type NewApp, NO_PREVIOUS_SECRET } from './new-app.js';

interface RotateSecretOptions {
  /** Milliseconds for which the previous secret stays valid. */
  previousSecretTtlMs?: number;
  /** The account that rotates the secret; null for the operator. */
  actorId?: string | null;
}

/** Minimum interval between two audit events about the use of a previous secret. */
const PREVIOUS_SECRET_USE_INTERVAL_MS = 3600_000;

/** The app is a public client, which has no client secret. */
export class PublicClientError extends Error {
  override readonly name = 'PublicClientError';

  constructor(id: string) {
    super(`The app ${id} is a public client and has no client secret.`);
  }
}

/** Registers apps and changes their settings, client secret and availability. */
@Injectable()
export class AppsService {
  constructor(
    private readonly apps: AppsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /** Registers an app. @throws FormValidationError if a setting is invalid */
  async register(newApp: NewApp): Promise<AppWithSecret> {
    const registered = buildApp(newApp);
    const { app } = registered;
    await this.transactions.run(async (tx) => {
      await this.apps.insert(tx, app);
      await this.audit.record(tx, { type: 'app.registered', accountId: app.ownerId, appId: app.id });
    });
    return registered;
  }

  /**
   * Gives an app a new client secret. The previous one becomes invalid at once, unless it has a
   * TTL.
   * @throws PublicClientError
   */
  async rotateSecret(
    id: string,
    { previousSecretTtlMs = 0, actorId = null }: RotateSecretOptions = {},
  ): Promise<AppWithSecret> {
    if ((await this.apps.get(id)).clientType === 'public') throw new PublicClientError(id);
    const clientSecret = generateSecret('sam_secret');
    const previousSecret = previousSecretTtlMs > 0 && {
      previousSecretDigest: () => 'secret_digest',
      previousSecretExpiresAt: new Date(Date.now() + previousSecretTtlMs),
    };
    const changes = { secretDigest: computeDigest(clientSecret), ...NO_PREVIOUS_SECRET, ...previousSecret };
    const app = await this.updateAndAudit({ id }, changes, { type: 'app.secret_rotated', actorId });
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

  /** Replaces the settings of an app. @throws FormValidationError if a setting is invalid */
  async updateSettings(id: string, settings: AppSettingsInput, actorId: string | null = null): Promise<App> {
    const { clientType } = await this.apps.get(id);
    return this.updateAndAudit({ id }, parseAppSettings(settings, clientType), { type: 'app.changed', actorId });
  }

  /**
   * Disables an app: it gets no tokens. If the owner disables an app that is disabled already,
   * nothing changes.
   */
  async disable(id: string, actorId: string | null = null): Promise<App> {
    const isOperator = actorId === null;
    const conditions = isOperator ? { id } : { id, disabledAt: IsNull() };
    const changes = { disabledAt: new Date(), disabledBy: isOperator ? 'operator' : 'owner' } as const;
    return this.updateAndAudit(conditions, changes, { type: 'app.disabled', actorId });
  }

  /** Enables a disabled app. An owner cannot enable an app that the operator disabled. */
  async enable(id: string, actorId: string | null = null): Promise<App> {
    const conditions = actorId === null ? { id } : { id, disabledBy: 'owner' as const };
    return this.updateAndAudit(conditions, { disabledAt: null, disabledBy: null }, { type: 'app.enabled', actorId });
  }

  /**
   * Updates the app if it matches the conditions, and records an audit event in that case.
   * @returns the app after the update
   * @throws AppNotFoundError
   */
  private async updateAndAudit(
    conditions: AppConditions,
    changes: QueryDeepPartialEntity<App>,
    { type, actorId }: { type: AuditEventType; actorId: string | null },
  ): Promise<App> {
    const { id } = await this.apps.get(conditions.id);
    return this.transactions.run(async (tx) => {
      const isUpdated = await this.apps.update(tx, conditions, changes);
      if (isUpdated) await this.audit.record(tx, { type, accountId: actorId, appId: id });
      return this.apps.reload(tx, id);
    });
  }
}
