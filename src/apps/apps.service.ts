import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, IsNull, type Repository } from 'typeorm';
import type { AuditType } from '../audit/audit-event.entity.js';
import { Audit } from '../audit/audit.service.js';
import { digest, mintSecret } from '../crypto/opaque-secret.js';
import { Batch } from '../database/batch.js';
import { isId, newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { App } from './app.entity.js';
import { type GivenSettings, settingsOf } from './app-settings.js';

/** What a new app is made of. */
export interface NewApp extends GivenSettings {
  ownerId?: string | null | undefined;
  pkceRequired?: boolean;
}

/** An app and its secret, which cannot be read again. */
export interface AppWithSecret {
  app: App;
  clientSecret: string;
}

/** An app that is not there: a sentence that says so. */
export class AppError extends Error {
  override readonly name = 'AppError';
}

@Injectable()
export class AppsService {
  private readonly lookUps = new Batch((ids: string[]) => this.findAll(ids));

  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
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
    const clientSecret = mintSecret('sam_secret');
    const app: App = {
      id: newId('app'),
      ...settingsOf(given),
      ownerId,
      pkceRequired,
      secretDigest: digest(clientSecret),
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

  /** Gives an app a new secret; the old one stops at once. @param by the account that does it; none for the operator */
  async rotateSecret(id: string, by: string | null = null): Promise<AppWithSecret> {
    const clientSecret = mintSecret('sam_secret');
    const app = await this.change({ id }, { secretDigest: digest(clientSecret) }, { type: 'app.secret_rotated', by });
    return { app, clientSecret };
  }

  /** What its owner says of it from now on. @throws Problems where something is not well-formed */
  async changeSettings(id: string, given: GivenSettings, by: string | null = null): Promise<App> {
    return this.change({ id }, settingsOf(given), { type: 'app.changed', by });
  }

  /** From now on the app gets no tokens. Where an owner asks for it, an app that is disabled already stays as it is. */
  async disable(id: string, by: string | null = null): Promise<App> {
    const change = { disabledAt: new Date(), disabledBy: by === null ? 'operator' : 'owner' } as const;
    return this.change(by === null ? { id } : { id, disabledAt: IsNull() }, change, { type: 'app.disabled', by });
  }

  /** Ends that; but what the operator disabled, no owner enables. */
  async enable(id: string, by: string | null = null): Promise<App> {
    const change = { disabledAt: null, disabledBy: null };
    return this.change(by === null ? { id } : { id, disabledBy: 'owner' }, change, { type: 'app.enabled', by });
  }

  /** The app of this client identifier, if there is one. */
  async find(id: string): Promise<App | null> {
    return isId('app', id) ? this.lookUps.add(id) : null;
  }

  /** @throws AppError where there is none */
  async get(id: string): Promise<App> {
    const app = await this.find(id);
    if (!app) throw new AppError(`There is no app ${id}.`);
    return app;
  }

  async list(): Promise<App[]> {
    return this.apps.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** What a person registered, the newest first. */
  async ownedBy(ownerId: string): Promise<App[]> {
    return this.apps.find({ where: { ownerId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  private async findAll(ids: string[]): Promise<(App | null)[]> {
    const found = new Map((await this.apps.findBy({ id: In([...new Set(ids)]) })).map((app) => [app.id, app]));
    return ids.map((id) => found.get(id) ?? null);
  }

  /** Changes an app where it is as `which` says, in one write. @returns the app as it is then */
  private async change(
    which: FindOptionsWhere<App> & { id: string },
    change: Partial<App>,
    { type, by }: { type: AuditType; by: string | null },
  ): Promise<App> {
    const app = await this.get(which.id);
    return this.transactions.run(async (tx) => {
      const { affected } = await tx.update(App, which, change);
      if (affected) await this.audit.record(tx, { type, accountId: by, appId: app.id });
      return tx.findOneByOrFail(App, { id: app.id });
    });
  }
}
