import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import type { PersonalDataSource } from '../accounts/personal-data.registry.js';
import { AppDeletionService } from './app-deletion.service.js';
import { App } from './app.entity.js';
import { AppsStore } from './apps.store.js';
import { FailedCall } from './failed-calls/failed-call.entity.js';
import { FailedCallsService } from './failed-calls/failed-calls.service.js';
import { AppIconsService } from './app-icons.service.js';
import { StoredAppIcon } from './stored-app-icon.entity.js';

/**
 * The apps that a person registered, with their failed calls. A deletion of the account deletes
 * them.
 */
@Injectable()
export class AppsPersonalDataService implements PersonalDataSource {
  readonly name = 'own_apps';
  readonly entities = [App, FailedCall, StoredAppIcon];

  constructor(
    private readonly apps: AppsStore,
    private readonly failedCalls: FailedCallsService,
    private readonly icons: AppIconsService,
    private readonly deletion: AppDeletionService,
  ) {}

  async export(accountId: string): Promise<object[]> {
    const apps = await this.apps.listByOwner(accountId);
    return Promise.all(
      apps.map(async (app) => ({
        ...toAppExport(app),
        icon: toIconExport(await this.icons.findByApp(app.id)),
        failed_calls: (await this.failedCalls.list(app.id)).map(toFailedCallExport),
      })),
    );
  }

  async delete(tx: EntityManager, { id: ownerId }: Account): Promise<void> {
    await this.deletion.deleteByOwner(tx, ownerId);
  }

  async afterDelete(): Promise<void> {
    await this.deletion.afterDelete();
  }
}

function toAppExport(app: App): object {
  return {
    client_id: app.id,
    name: app.name,
    former_names: app.formerNames.map(({ name, until }) => ({ name, until })),
    description: app.description,
    home_page: app.homePage,
    privacy_policy: app.privacyPolicy,
    terms_of_service: app.termsOfService,
    client_type: app.clientType,
    redirect_uris: app.redirectUris,
    post_logout_redirect_uris: app.postLogoutRedirectUris,
    scopes: app.scopes,
    required_scopes: app.requiredScopes,
    id_token_alg: app.idTokenAlg,
    pkce_required: app.pkceRequired,
    created_at: app.createdAt.toISOString(),
    disabled_at: app.disabledAt?.toISOString() ?? null,
  };
}

function toIconExport(icon: StoredAppIcon | null): object | null {
  return icon && { content_type: icon.contentType, content_base64: icon.content.toString('base64') };
}

function toFailedCallExport(call: FailedCall): object {
  return {
    endpoint: call.endpoint,
    error: call.errorCode,
    reason: call.reason,
    count: call.count,
    first_failed_at: call.firstFailedAt.toISOString(),
    last_failed_at: call.lastFailedAt.toISOString(),
    accepted: call.accepted,
    sent: call.sentValues.map(({ value, sentAt }) => ({ value, at: new Date(sentAt).toISOString() })),
  };
}
