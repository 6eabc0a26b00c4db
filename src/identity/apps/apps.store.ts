import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Not, Raw, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { Settings } from '../../platform/config/settings.js';
import { BatchLoader } from '../../platform/database/batch-loader.js';
import { isId } from '../../platform/database/ids.js';
import { buildRecordsetSql } from '../../platform/database/query.js';
import { ReservedConnections } from '../../platform/database/reserved-connections.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { App } from './app.entity.js';
import { isAcceptedClientIdUrl } from './client-metadata/client-id-url.js';
import { NO_PREVIOUS_SECRET } from './new-app.js';

/** Creates the error for an id that no app has. */
export function createAppNotFoundError(id: string): DomainError {
  return new DomainError('not_found', 'app_not_found', `There is no app ${id}. The command apps list shows all apps.`);
}

/** Limit of apps that `/apps` shows. */
const MAX_PUBLIC_APPS = 200;

/** Reads and writes apps. Concurrent lookups by id share one query. */
@Injectable()
export class AppsStore {
  private readonly appLoader: BatchLoader<string, App | null>;

  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly reserved: ReservedConnections,
    private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    this.appLoader = new BatchLoader((ids) => this.findMany(ids), {
      onBatch: (size) => metrics.batchSizes.observe({ batch: 'app_lookups' }, size),
      maxConcurrentBatches: reserved.maxConcurrentBatches,
    });
  }

  /** Returns the app with this client identifier, or null. */
  async find(id: string): Promise<App | null> {
    if (isId('app', id)) return this.appLoader.enqueue(id);
    return isAcceptedClientIdUrl(this.settings, id) ? this.findByMetadataUrl(id) : null;
  }

  /** Returns the app that the client ID metadata document with this address described, or null. */
  async findByMetadataUrl(metadataUrl: string, tx: EntityManager = this.apps.manager): Promise<App | null> {
    return tx.findOneBy(App, { metadataUrl });
  }

  /**
   * Returns the app with this client identifier.
   * @throws DomainError not_found
   */
  async get(id: string): Promise<App> {
    const app = await this.find(id);
    if (!app) throw createAppNotFoundError(id);
    return app;
  }

  /** Returns the app with exactly this name, or null. A deleted app has none. */
  async findByName(name: string): Promise<App | null> {
    return this.apps.findOneBy({ name, deletedAt: IsNull() });
  }

  /** Returns all apps that are not deleted, the oldest first. */
  async list(): Promise<App[]> {
    return this.apps.find({ where: { deletedAt: IsNull() }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Returns the apps that an account registered, the newest first. */
  async listByOwner(ownerId: string, tx: EntityManager = this.apps.manager): Promise<App[]> {
    return tx.find(App, { where: { ownerId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Returns the apps that `/apps` shows, by name. */
  async listPublic(): Promise<App[]> {
    return this.apps.find({
      where: { listing: 'approved', disabledAt: IsNull() },
      order: { name: 'ASC', id: 'ASC' },
      take: MAX_PUBLIC_APPS,
    });
  }

  async listEnabledPublicClients(): Promise<Pick<App, 'redirectUris'>[]> {
    return this.apps.find({ select: { redirectUris: true }, where: { clientType: 'public', disabledAt: IsNull() } });
  }

  /** Returns the number of apps that an account registered. */
  async countByOwner(tx: EntityManager, ownerId: string): Promise<number> {
    return tx.countBy(App, { ownerId });
  }

  /** Whether another app has or had a name with this skeleton. */
  async hasNameSkeleton(tx: EntityManager, nameSkeleton: string, exceptId: string): Promise<boolean> {
    const id = Not(exceptId);
    const find = tx.connection.options.type === 'postgres' ? 'strpos' : 'instr';
    const formerNames = Raw((column) => `${find}(${column}, :nameSkeletonJson) > 0`, {
      nameSkeletonJson: `"nameSkeleton":${JSON.stringify(nameSkeleton)}`,
    });
    return tx.existsBy(App, [
      { id, nameSkeleton },
      { id, formerNames },
    ]);
  }

  async insert(tx: EntityManager, app: App): Promise<void> {
    await tx.insert(App, app);
  }

  /** Updates the app if it matches one of the conditions. @returns whether it matched */
  async update(
    tx: EntityManager,
    conditions: AppConditions | AppConditions[],
    changes: QueryDeepPartialEntity<App>,
  ): Promise<boolean> {
    const { affected } = await tx.update(App, conditions, changes);
    return affected === 1;
  }

  /**
   * Deletes the content of an app: it is disabled and loses its owner, description, icon, addresses
   * and secrets. The empty digest matches no secret. The names stay, so that no other app can have
   * them.
   */
  async markDeleted(tx: EntityManager, id: string): Promise<void> {
    const now = new Date();
    const links = { homePage: null, privacyPolicy: null, termsOfService: null };
    const settings = { description: null, icon: null, ...links, redirectUris: [], postLogoutRedirectUris: [] };
    const secrets = { secretDigest: '', ...NO_PREVIOUS_SECRET };
    const end = {
      ownerId: null,
      isFirstParty: false,
      listing: 'none',
      disabledAt: now,
      disabledBy: null,
      deletedAt: now,
    } as const;
    await tx.update(App, { id }, { ...settings, ...secrets, ...end });
  }

  /** Returns the app as the transaction sees it. @throws EntityNotFoundError */
  async reload(tx: EntityManager, id: string): Promise<App> {
    return tx.findOneByOrFail(App, { id });
  }

  /**
   * Returns the app of each id, or null. For an unknown id the query reads another app, so that
   * the response time does not reveal which ids exist.
   */
  private async findMany(ids: string[]): Promise<(App | null)[]> {
    const { manager } = this.reserved;
    const nearestIds = `SELECT coalesce((SELECT near.id FROM apps near WHERE near.id >= input.id ORDER BY near.id LIMIT 1),
      (SELECT min(id) FROM apps)) FROM ${buildRecordsetSql(manager, 'id')}`;
    const isPostgres = manager.connection.options.type === 'postgres';
    const condition = isPostgres ? `app.id = ANY(ARRAY(${nearestIds}))` : `app.id IN (${nearestIds})`;
    const input = JSON.stringify([...new Set(ids)].map((id) => ({ id })));
    const apps = await manager.createQueryBuilder(App, 'app').where(condition, { input }).getMany();
    const appsById = new Map(apps.map((app) => [app.id, app]));
    return ids.map((id) => appsById.get(id) ?? null);
  }
}

/** Conditions of an update; the id is always one of them. */
export type AppConditions = FindOptionsWhere<App> & { id: string };
