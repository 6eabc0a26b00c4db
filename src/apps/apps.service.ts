import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { digest, mintSecret } from '../crypto/opaque-secret.js';
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

  /** Gives an app a new secret; the old one stops at once. */
  async rotateSecret(id: string): Promise<AppWithSecret> {
    const clientSecret = mintSecret('sam_secret');
    const app = await this.change(id, { secretDigest: digest(clientSecret) }, 'app.secret_rotated');
    return { app, clientSecret };
  }

  /** What its owner says of it from now on. @throws Problems where something is not well-formed */
  async changeSettings(id: string, given: GivenSettings): Promise<App> {
    return this.change(id, settingsOf(given), 'app.changed');
  }

  /** From now on the app gets no tokens. */
  async disable(id: string, by: 'operator' | 'owner' = 'operator'): Promise<App> {
    return this.change(id, { disabledAt: new Date(), disabledBy: by }, 'app.disabled');
  }

  async enable(id: string): Promise<App> {
    return this.change(id, { disabledAt: null, disabledBy: null }, 'app.enabled');
  }

  /** The app of this client identifier, if there is one. */
  async find(id: string): Promise<App | null> {
    return isId('app', id) ? this.apps.findOneBy({ id }) : null;
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

  private async change(
    id: string,
    change: Partial<App>,
    type: 'app.changed' | 'app.secret_rotated' | 'app.disabled' | 'app.enabled',
  ): Promise<App> {
    const app = await this.get(id);
    await this.transactions.run(async (tx) => {
      await tx.update(App, { id }, change);
      await this.audit.record(tx, { type, appId: id });
    });
    return { ...app, ...change };
  }
}
