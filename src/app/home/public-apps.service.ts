import { Injectable } from '@nestjs/common';
import { type Account, isBlocked } from '../../identity/accounts/account.entity.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import type { App } from '../../identity/apps/app.entity.js';
import { AppsStore } from '../../identity/apps/apps.store.js';

/** An app that its owner offers and the operator approved. */
export interface PublicApp {
  app: App;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
}

/** Lists the apps that everyone can open. */
@Injectable()
export class PublicAppsService {
  constructor(
    private readonly apps: AppsStore,
    private readonly accounts: AccountsStore,
  ) {}

  /** Returns the apps by name, without those of blocked people. */
  async list(): Promise<PublicApp[]> {
    const apps = await this.apps.listPublic();
    const owners = await this.accounts.findByIds(apps.flatMap(({ ownerId }) => ownerId ?? []));
    return apps
      .map((app) => ({ app, owner: owners.get(app.ownerId ?? '') ?? null }))
      .filter(({ owner }) => !owner || !isBlocked(owner));
  }
}
