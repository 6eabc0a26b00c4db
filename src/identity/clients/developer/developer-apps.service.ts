import { Injectable } from '@nestjs/common';
import { checkNotBlocked } from '../../accounts/account-permissions.js';
import type { Account } from '../../accounts/account.entity.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../failed-calls/failed-calls.service.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { App } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';
import { AppsService, type AppWithSecret } from '../apps.service.js';

/** What a person does with the apps that they registered. Another's app is not there for them. */
@Injectable()
export class DeveloperAppsService {
  constructor(
    private readonly apps: AppsService,
    private readonly failedCalls: FailedCallsService,
  ) {}

  list(owner: Account): Promise<App[]> {
    return this.apps.listByOwner(owner.id);
  }

  /** An app with its last failed calls. @throws PageError 404 where it is not theirs */
  async getWithFailedCalls(owner: Account, id: string): Promise<{ app: App; failedCalls: FailedCall[] }> {
    const app = await this.getOwned(owner, id);
    return { app, failedCalls: await this.failedCalls.list(app.id) };
  }

  /** @throws PageError 404 where it is not theirs */
  private async getOwned(owner: Account, id: string): Promise<App> {
    const app = await this.apps.find(id);
    if (app?.ownerId !== owner.id) throw new PageError(404, 'notFound');
    return app;
  }

  /** @throws Problems where something is not well-formed */
  async register(owner: Account, given: AppSettingsInput): Promise<AppWithSecret> {
    assertNotBlocked(owner);
    return this.apps.register({ ...given, ownerId: owner.id });
  }

  /** @throws Problems where something is not well-formed */
  async updateSettings(owner: Account, id: string, given: AppSettingsInput): Promise<App> {
    return this.apps.updateSettings(await this.requireWritableAppId(owner, id), given, owner.id);
  }

  async rotateSecret(owner: Account, id: string): Promise<AppWithSecret> {
    return this.apps.rotateSecret(await this.requireWritableAppId(owner, id), { actorId: owner.id });
  }

  async disable(owner: Account, id: string): Promise<App> {
    return this.apps.disable(await this.requireWritableAppId(owner, id), owner.id);
  }

  /** What the operator disabled stays so. */
  async enable(owner: Account, id: string): Promise<App> {
    return this.apps.enable(await this.requireWritableAppId(owner, id), owner.id);
  }

  /** The id of an app that they may change. @throws PageError 403 where they are blocked, 404 where it is not theirs */
  private async requireWritableAppId(owner: Account, id: string): Promise<string> {
    assertNotBlocked(owner);
    return (await this.getOwned(owner, id)).id;
  }
}

function assertNotBlocked(person: Account): void {
  const refusal = checkNotBlocked(person);
  if (refusal) throw new PageError(403, 'accountBlocked');
}
