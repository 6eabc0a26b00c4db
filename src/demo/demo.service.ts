import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type AppWithSecret, AppsService } from '../apps/apps.service.js';
import { Settings } from '../config/settings.js';
import { Transactions } from '../database/transactions.js';
import { RegionsService } from '../markers/regions.service.js';
import { AuthorizationsService } from '../oauth/authorizations.service.js';
import { APPS, PEOPLE, REGIONS } from './demo-data.js';
import { DemoMap } from './demo-map.js';

/** What can only be told once: passwords and secrets are made as the demo is loaded, and kept as hashes and digests. */
export interface Demo {
  people: { username: string; name: string; role: string; password: string }[];
  apps: { name: string; client_id: string; client_secret: string; scope: string }[];
  /** Of the first app, for the first person. */
  refresh_token: string;
}

/** An invented community for trying things out. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly apps: AppsService,
    private readonly regions: RegionsService,
    private readonly map: DemoMap,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  /**
   * All of it or nothing, once.
   * @returns what only this once can be told, or undefined where the database is not empty
   * @throws Error in production
   */
  async load(): Promise<Demo | undefined> {
    if (this.settings.production) throw new Error('The demo data is not for production.');
    if (!(await this.accounts.isEmpty())) return undefined;
    const people = await this.preparePeople();
    const ownerId = accountOf(people, 'ines').id;
    const apps = APPS.map((app) => this.apps.prepare({ ...app, ownerId }));
    const refreshToken = await this.transactions.runAlone(async (tx) => {
      if (!(await this.accounts.isEmpty(tx))) return undefined;
      await this.loadPeople(tx, people);
      for (const { app } of apps) await this.apps.insert(tx, app);
      await this.map.load(tx, { people: people.map(({ account }) => account), apps: apps.map(({ app }) => app) });
      const [{ account }, { app }] = [people[0]!, apps[0]!];
      return (await this.authorizations.begin(tx, { account, app, scopes: app.scopes, authTime: new Date() }))
        .refreshToken;
    });
    return refreshToken === undefined ? undefined : told(people, apps, refreshToken);
  }

  private async preparePeople(): Promise<Person[]> {
    return Promise.all(
      PEOPLE.map(async ({ username, name, role, blocked }) => {
        const password = randomBytes(9).toString('base64url');
        const email = `${username}@example.org`;
        const account = await this.accounts.prepare({ username, email, name, role, password, emailVerified: true });
        if (blocked) Object.assign(account, { blockedAt: new Date(), blockedReason: blocked });
        return { account, password };
      }),
    );
  }

  private async loadPeople(tx: EntityManager, people: Person[]): Promise<void> {
    const ids = new Map<string, string>();
    for (const [name, box] of REGIONS) ids.set(name, (await this.regions.insert(tx, name, box)).id);
    for (const [at, { account }] of people.entries()) {
      const regions = PEOPLE[at]!.regions?.map((name) => ids.get(name)!) ?? account.regions;
      await this.accounts.insert(tx, { ...account, regions });
    }
  }
}

interface Person {
  account: Account;
  password: string;
}

function accountOf(people: Person[], username: string): Account {
  return people.find(({ account }) => account.username === username)!.account;
}

function told(people: Person[], apps: AppWithSecret[], refreshToken: string): Demo {
  return {
    people: people.map(({ account: { username, name, role }, password }) => ({ username, name, role, password })),
    apps: apps.map(({ app, clientSecret }) => ({
      name: app.name,
      client_id: app.id,
      client_secret: clientSecret,
      scope: app.scopes.join(' '),
    })),
    refresh_token: refreshToken,
  };
}
