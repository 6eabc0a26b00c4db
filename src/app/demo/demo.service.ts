import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Account, AccountWithEmail } from '../../identity/accounts/account.entity.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import { buildAccount } from '../../identity/accounts/new-account.js';
import { AppsStore } from '../../identity/apps/apps.store.js';
import { type AppWithSecret, buildApp } from '../../identity/apps/new-app.js';
import { Settings } from '../../platform/config/settings.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { RegionsService } from '../../map/regions/regions.service.js';
import { TokenIssuanceService } from '../../identity/oauth/token-issuance.service.js';
import { type DemoData, type DemoPerson, readDemoData } from './demo-data.js';
import { DemoMapService } from './demo-map.service.js';

/**
 * Credentials of the demo. They are generated when the demo is loaded; the database stores only
 * hashes and digests.
 */
export interface DemoCredentials {
  people: { username: string; name: string; role: string; password: string }[];
  apps: { name: string; client_id: string; client_secret: string; scope: string }[];
  /** A refresh token of the first app for the first person. */
  refresh_token: string;
}

/** Loads the demo: accounts, apps, regions and a map. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly apps: AppsStore,
    private readonly regions: RegionsService,
    private readonly map: DemoMapService,
    private readonly authorizations: TokenIssuanceService,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /**
   * Loads the demo into an empty database, in one transaction.
   * @returns the generated credentials; undefined if the database is not empty
   * @throws Error in production
   */
  async load(): Promise<DemoCredentials | undefined> {
    if (this.settings.isProduction)
      throw new Error(
        'The demo data cannot be loaded with NODE_ENV=production. Unset NODE_ENV to load it, or set DEMO_DATA=off to start without it.',
      );
    if (!(await this.accounts.isEmpty())) return undefined;
    const data = readDemoData();
    const people = await Promise.all(data.people.map(preparePerson));
    const ownerId = findAccount(people, 'ines').id;
    const apps = data.apps.map(({ listing = 'none', ...settings }) => {
      const { app, clientSecret } = buildApp({ ...settings, ownerId });
      return { app: { ...app, listing }, clientSecret };
    });
    const refreshToken = await this.transactions.run(async (tx) => {
      await lock(tx, 'demo');
      if (!(await this.accounts.isEmpty(tx))) return undefined;
      await this.loadPeople(tx, data.regions, people);
      for (const { app } of apps) await this.apps.insert(tx, app);
      await this.map.load(tx, data, { people: people.map(({ account }) => account), apps: apps.map(({ app }) => app) });
      const [{ account }, { app }] = [people[0]!, apps[0]!];
      return (
        await this.authorizations.createAuthorization(tx, { account, app, scopes: app.scopes, authTime: new Date() })
      ).refreshToken;
    });
    return refreshToken === undefined ? undefined : toDemoCredentials(people, apps, refreshToken);
  }

  private async loadPeople(tx: EntityManager, regions: DemoData['regions'], people: DemoAccount[]): Promise<void> {
    const ids = new Map<string, string>();
    for (const { name, box } of regions) ids.set(name, (await this.regions.findOrInsert(tx, name, box)).id);
    for (const { account } of people) {
      const regionIds = account.regions.map((name) => ids.get(name) ?? name);
      await this.accounts.insert(tx, { ...account, regions: regionIds });
    }
  }
}

interface DemoAccount {
  account: AccountWithEmail;
  password: string;
}

/** Builds an account with a generated password. */
async function preparePerson({ username, name, role, regions = [], blockedReason }: DemoPerson): Promise<DemoAccount> {
  const password = randomBytes(9).toString('base64url');
  const email = `${username}@example.org`;
  const account = await buildAccount({ username, email, name, role, regions, password, emailVerified: true });
  if (blockedReason) Object.assign(account, { blockedAt: new Date(), blockedReason });
  return { account, password };
}

function findAccount(people: DemoAccount[], username: string): Account {
  return people.find(({ account }) => account.username === username)!.account;
}

function toDemoCredentials(people: DemoAccount[], apps: AppWithSecret[], refreshToken: string): DemoCredentials {
  return {
    people: people.map(({ account: { username, name, role }, password }) => ({ username, name, role, password })),
    apps: apps.map(({ app, clientSecret }) => ({
      name: app.name,
      client_id: app.id,
      client_secret: clientSecret!, // the demo has only confidential clients
      scope: app.scopes.join(' '),
    })),
    refresh_token: refreshToken,
  };
}
