import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { digest, mintSecret } from '../crypto/opaque-secret.js';
import { isId, newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { isName } from '../http/text.js';
import type { SigningAlgorithm } from '../keys/signing-key.entity.js';
import { isScope, type Scope } from '../scopes/catalogue.js';
import { App } from './app.entity.js';
import { redirectUriProblem } from './redirect-uri.js';

/** What a new app is made of. */
export interface NewApp {
  name: string;
  redirectUris: string[];
  /** Names of scopes. */
  scopes: string[];
  requiredScopes?: string[];
  postLogoutRedirectUris?: string[];
  ownerId?: string | null;
  idTokenAlg?: SigningAlgorithm;
  pkceRequired?: boolean;
}

/** An app and its secret, which cannot be read again. */
export interface AppWithSecret {
  app: App;
  clientSecret: string;
}

/** An app that cannot be registered or found as asked: a sentence that says why. */
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

  /** @throws AppError where something is not well-formed */
  async register(given: NewApp): Promise<AppWithSecret> {
    const made = this.prepare(given);
    await this.transactions.run((tx) => this.insert(tx, made.app));
    return made;
  }

  /** Checks a new app and makes its secret, so that `insert` has only to write it. */
  prepare({
    name,
    redirectUris,
    scopes,
    requiredScopes = [],
    postLogoutRedirectUris = [],
    ...options
  }: NewApp): AppWithSecret {
    if (!isName(name)) throw new AppError('A name takes 1 to 100 characters that can be shown.');
    if (redirectUris.length === 0) throw new AppError('An app needs at least one redirect address.');
    for (const uri of [...redirectUris, ...postLogoutRedirectUris]) {
      const problem = redirectUriProblem(uri);
      if (problem) throw new AppError(problem);
    }
    if (scopes.length === 0) throw new AppError('An app needs at least one scope.');
    const known = knownScopes(scopes);
    const required = knownScopes(requiredScopes);
    const extra = required.find((scope) => !known.includes(scope));
    if (extra) throw new AppError(`${extra} is required but not among the app's scopes.`);
    const clientSecret = mintSecret('sam_secret');
    const app: App = {
      id: newId('app'),
      name: name.trim(),
      ownerId: options.ownerId ?? null,
      redirectUris,
      postLogoutRedirectUris,
      scopes: known,
      requiredScopes: required,
      idTokenAlg: options.idTokenAlg ?? 'RS256',
      pkceRequired: options.pkceRequired ?? true,
      secretDigest: digest(clientSecret),
      createdAt: new Date(),
      disabledAt: null,
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

  /** From now on the app gets no tokens. */
  async disable(id: string): Promise<App> {
    return this.change(id, { disabledAt: new Date() }, 'app.disabled');
  }

  async enable(id: string): Promise<App> {
    return this.change(id, { disabledAt: null }, 'app.enabled');
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

  private async change(
    id: string,
    change: Partial<Pick<App, 'secretDigest' | 'disabledAt'>>,
    type: 'app.secret_rotated' | 'app.disabled' | 'app.enabled',
  ): Promise<App> {
    const app = await this.get(id);
    await this.transactions.run(async (tx) => {
      await tx.update(App, { id }, change);
      await this.audit.record(tx, { type, appId: id });
    });
    return { ...app, ...change };
  }
}

function knownScopes(names: string[]): Scope[] {
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) throw new AppError(`There is no scope ${unknown}.`);
  return [...new Set(names)] as Scope[];
}
