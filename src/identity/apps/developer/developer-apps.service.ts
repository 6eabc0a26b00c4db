import { Injectable } from '@nestjs/common';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { PictureEncoderService } from '../../../platform/pictures/picture-encoder.service.js';
import type { PictureForm } from '../../../platform/pictures/picture-form.interceptor.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { Account } from '../../accounts/account.entity.js';
import { checkNotBlocked } from '../../accounts/account-permissions.js';
import type { App } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';
import { AppsService, TooManyAppsError } from '../apps.service.js';
import { AppsStore } from '../apps.store.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../failed-calls/failed-calls.service.js';
import type { AppWithSecret } from '../new-app.js';
import type { AppForm } from './app-form.pipe.js';
import { parsePreviousSecretTtlMs } from './client-secret.page.js';

/** Manages the apps that a person registered. An app of another owner is 404. */
@Injectable()
export class DeveloperAppsService {
  constructor(
    private readonly appsStore: AppsStore,
    private readonly apps: AppsService,
    private readonly failedCalls: FailedCallsService,
    private readonly encoder: PictureEncoderService,
  ) {}

  /** Returns the apps of an owner, the newest first. */
  list(owner: Account): Promise<App[]> {
    return this.appsStore.listByOwner(owner.id);
  }

  /** Returns an app with its last failed calls. @throws PageError 404 */
  async getWithFailedCalls(owner: Account, id: string): Promise<{ app: App; failedCalls: FailedCall[] }> {
    const app = await this.getOwned(owner, id);
    return { app, failedCalls: await this.failedCalls.list(app.id) };
  }

  /**
   * Registers an app.
   * @throws PageError 403 if the owner is blocked, 422 at the limit of apps; InvalidFieldsError
   */
  async register(owner: Account, form: AppForm): Promise<AppWithSecret> {
    assertNotBlocked(owner);
    return this.apps.register({ ...form, ownerId: owner.id }).catch((error: unknown) => {
      throw error instanceof TooManyAppsError ? new PageError(422, 'tooManyApps') : error;
    });
  }

  /** Replaces the settings of an app. @throws PageError 403, 404; InvalidFieldsError */
  async updateSettings(owner: Account, id: string, settings: AppSettingsInput): Promise<App> {
    return this.apps.updateSettings(await this.getWritableId(owner, id), settings, owner.id);
  }

  /**
   * Replaces the client secret of an app. The field `keepOld` of the form says how long the old one
   * stays valid.
   * @throws PageError 403, 404, also for a public client; InvalidFieldsError
   */
  async rotateSecret(owner: Account, id: string, form: URLSearchParams): Promise<AppWithSecret> {
    assertNotBlocked(owner);
    const { previousSecretExpiresAt } = await this.getConfidential(owner, id);
    const previousSecretTtlMs = parsePreviousSecretTtlMs(form);
    // A repeated post would end the secret that the first post kept.
    if (previousSecretTtlMs > 0 && previousSecretExpiresAt && previousSecretExpiresAt > new Date())
      throw new InvalidFieldsError([{ field: 'keepOld', code: 'keepOldRunning' }]);
    return this.apps.rotateSecret(id, { previousSecretTtlMs, actorId: owner.id });
  }

  /** Returns an app that has a secret. @throws PageError 404, also for a public client */
  async getConfidential(owner: Account, id: string): Promise<App> {
    const app = await this.getOwned(owner, id);
    if (app.clientType === 'public') throw new PageError(404, 'notFound');
    return app;
  }

  /**
   * Replaces the icon of an app.
   * @throws PageError 403, 404; InvalidFieldsError if the upload is not a picture
   */
  async replaceIcon(owner: Account, id: string, { picture, isPictureTooLarge }: PictureForm): Promise<void> {
    await this.getWritableId(owner, id);
    if (isPictureTooLarge) throw new InvalidFieldsError([{ field: 'picture', code: 'pictureTooLarge' }]);
    if (!picture) throw new InvalidFieldsError([{ field: 'picture', code: 'pictureMissing' }]);
    await this.apps.setIcon(id, await this.encoder.encode(picture, owner.id), owner.id);
  }

  /** Removes the icon of an app. @throws PageError 403, 404 */
  async removeIcon(owner: Account, id: string): Promise<void> {
    await this.apps.setIcon(await this.getWritableId(owner, id), null, owner.id);
  }

  /** Disables an app. @throws PageError 403, 404 */
  async disable(owner: Account, id: string): Promise<App> {
    return this.apps.disable(await this.getWritableId(owner, id), owner.id);
  }

  /** Enables an app, unless the operator disabled it. @throws PageError 403, 404 */
  async enable(owner: Account, id: string): Promise<App> {
    return this.apps.enable(await this.getWritableId(owner, id), owner.id);
  }

  /** @throws PageError 404 */
  private async getOwned(owner: Account, id: string): Promise<App> {
    const app = await this.appsStore.find(id);
    if (app?.ownerId !== owner.id) throw new PageError(404, 'notFound');
    return app;
  }

  /** @throws PageError 403 if the owner is blocked, 404 */
  private async getWritableId(owner: Account, id: string): Promise<string> {
    assertNotBlocked(owner);
    return (await this.getOwned(owner, id)).id;
  }
}

function assertNotBlocked(account: Account): void {
  if (checkNotBlocked(account)) throw new PageError(403, 'accountBlocked');
}
