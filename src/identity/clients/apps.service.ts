import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, LessThan, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AuditEventType } from '../../platform/audit/audit-event.entity.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { computeDigest, generateSecret } from '../../platform/crypto/opaque-secret.js';
import { BatchLoader } from '../../platform/database/batch-loader.js';
import { isId, generateId } from '../../platform/database/ids.js';
import { buildRecordsetSql } from '../../platform/database/query.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { App } from './app.entity.js';
import { type AppSettingsInput, parseAppSettings } from './app-settings.js';

/** What a new app is made of. */
export interface NewApp extends AppSettingsInput {
  ownerId?: string | null | undefined;
  pkceRequired?: boolean;
}

interface RotateSecretOptions {
  previousSecretTtlMs?: number;
  actorId?: string | null;
}

const NO_PREVIOUS_SECRET = {
  previousSecretDigest: null,
  previousSecretExpiresAt: null,
  previousSecretLastUsedAt: null,
};

/** Milliseconds between two notes of an old secret that is still in use. */
const PREVIOUS_SECRET_USE_INTERVAL_MS = 3600_000;

/** An app and its secret, which cannot be read again. */
export interface AppWithSecret {
  app: App;
  clientSecret: string;
}

/** An app that is not there: a sentence that says so. */
export class AppNotFoundError extends Error {
  override readonly name = 'AppError';
}

@Injectable()
export class AppsService {
  private readonly appLoader = new BatchLoader(
    (ids: string[]) => this.findMany(ids),
    (size) => this.metrics.batchSizes.observe({ batch: 'app_look_ups' }, size),
  );

  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly metrics: MetricsService,
  ) {}

  /** @throws Problems where something is not well-formed */
  async register(given: NewApp): Promise<AppWithSecret> {
    const made = this.prepare(given);
    await this.transactions.run(async (tx) => {
      await this.insert(tx, made.app);
      await this.audit.record(tx, { type: 'app.registered', accountId: made.app.ownerId, appId: made.app.id });
    });
    return made;
  }

  /** Checks a new app and makes its secret, so that `insert` has only to write it. @throws Problems */
  prepare({ ownerId = null, pkceRequired = true, ...given }: NewApp): AppWithSecret {
    const clientSecret = generateSecret('sam_secret');
    const app: App = {
      id: generateId('app'),
      ...parseAppSettings(given),
      ownerId,
      pkceRequired,
      secretDigest: computeDigest(clientSecret),
      ...NO_PREVIOUS_SECRET,
      createdAt: new Date(),
      disabledAt: null,
      disabledBy: null,
    };
    return { app, clientSecret };
  }

  /** Stores a prepared app. */
  async insert(tx: EntityManager, app: App): Promise<void> {
    await tx.insert(App, app);
  }

  /**
   * Gives an app a new secret. The old one stops at once, or is good for a while beside it.
   * @param keepOld for how many milliseconds
   * @param by the account that does it; none for the operator
   */
  async rotateSecret(
    id: string,
    { previousSecretTtlMs = 0, actorId = null }: RotateSecretOptions = {},
  ): Promise<AppWithSecret> {
    const clientSecret = generateSecret('sam_secret');
    const old = previousSecretTtlMs > 0 && {
      previousSecretDigest: () => 'secret_digest',
      previousSecretExpiresAt: new Date(Date.now() + previousSecretTtlMs),
    };
    const change = { secretDigest: computeDigest(clientSecret), ...NO_PREVIOUS_SECRET, ...old };
    const app = await this.updateAndAudit({ id }, change, { type: 'app.secret_rotated', by: actorId });
    return { app, clientSecret };
  }

  /** Keeps for the record that an app's old secret is still in use: once an hour, with where from. */
  async recordPreviousSecretUse({ id, previousSecretLastUsedAt }: App): Promise<void> {
    const now = Date.now();
    if (previousSecretLastUsedAt && previousSecretLastUsedAt.getTime() >= now - PREVIOUS_SECRET_USE_INTERVAL_MS) return;
    await this.transactions.run(async (tx) => {
      const before = [IsNull(), LessThan(new Date(now - PREVIOUS_SECRET_USE_INTERVAL_MS))];
      const which = before.map((usedAt) => ({ id, previousSecretLastUsedAt: usedAt }));
      const { affected } = await tx.update(App, which, { previousSecretLastUsedAt: new Date(now) });
      if (affected) await this.audit.record(tx, { type: 'app.old_secret_used', appId: id });
    });
  }

  /** What its owner says of it from now on. @throws Problems where something is not well-formed */
  async updateSettings(id: string, given: AppSettingsInput, by: string | null = null): Promise<App> {
    return this.updateAndAudit({ id }, parseAppSettings(given), { type: 'app.changed', by });
  }

  /** From now on the app gets no tokens. Where an owner asks for it, an app that is disabled already stays as it is. */
  async disable(id: string, by: string | null = null): Promise<App> {
    const change = { disabledAt: new Date(), disabledBy: by === null ? 'operator' : 'owner' } as const;
    return this.updateAndAudit(by === null ? { id } : { id, disabledAt: IsNull() }, change, {
      type: 'app.disabled',
      by,
    });
  }

  /** Ends that; but what the operator disabled, no owner enables. */
  async enable(id: string, by: string | null = null): Promise<App> {
    const change = { disabledAt: null, disabledBy: null };
    return this.updateAndAudit(by === null ? { id } : { id, disabledBy: 'owner' }, change, { type: 'app.enabled', by });
  }

  /** The app of this client identifier, if there is one. */
  async find(id: string): Promise<App | null> {
    return isId('app', id) ? this.appLoader.enqueue(id) : null;
  }

  /** @throws AppError where there is none */
  async get(id: string): Promise<App> {
    const app = await this.find(id);
    if (!app) throw new AppNotFoundError(`There is no app ${id}.`);
    return app;
  }

  async list(): Promise<App[]> {
    return this.apps.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** What a person registered, the newest first. */
  async listByOwner(ownerId: string): Promise<App[]> {
    return this.apps.find({ where: { ownerId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** For an id that no app has, another app is read as well: so the time that it takes does not tell which ids there are. */
  private async findMany(ids: string[]): Promise<(App | null)[]> {
    const { manager } = this.apps;
    const nearest = `SELECT coalesce((SELECT near.id FROM apps near WHERE near.id >= given.id ORDER BY near.id LIMIT 1),
      (SELECT min(id) FROM apps)) FROM ${buildRecordsetSql(manager, 'id')}`;
    const isRead = manager.connection.options.type === 'postgres' ? `= ANY(ARRAY(${nearest}))` : `IN (${nearest})`;
    const given = JSON.stringify([...new Set(ids)].map((id) => ({ id })));
    const read = await this.apps.createQueryBuilder('app').where(`app.id ${isRead}`, { given }).getMany();
    const found = new Map(read.map((app) => [app.id, app]));
    return ids.map((id) => found.get(id) ?? null);
  }

  /** Changes an app where it is as `which` says, in one write. @returns the app as it is then */
  private async updateAndAudit(
    which: FindOptionsWhere<App> & { id: string },
    change: QueryDeepPartialEntity<App>,
    { type, by }: { type: AuditEventType; by: string | null },
  ): Promise<App> {
    const app = await this.get(which.id);
    return this.transactions.run(async (tx) => {
      const { affected } = await tx.update(App, which, change);
      if (affected) await this.audit.record(tx, { type, accountId: by, appId: app.id });
      return tx.findOneByOrFail(App, { id: app.id });
    });
  }
}
