import type { INestApplicationContext } from '@nestjs/common';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { type App, getClientId } from '../../../identity/apps/app.entity.js';
import { AppDeletionService } from '../../../identity/apps/app-deletion.service.js';
import { parseAppSettings } from '../../../identity/apps/app-settings.js';
import { AppsModule } from '../../../identity/apps/apps.module.js';
import { AppsService } from '../../../identity/apps/apps.service.js';
import { AppsStore } from '../../../identity/apps/apps.store.js';
import type { AppWithSecret } from '../../../identity/apps/new-app.js';
import type { SigningAlgorithm } from '../../../identity/keys/signing-key.entity.js';
import { splitScope } from '../../../identity/scopes/scopes.js';
import { MAX_RATE_LIMIT } from '../../../platform/config/settings.js';
import { createUsageError } from '../../../platform/errors/domain-error.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { createIfAbsent, type IfAbsentOption } from '../create-if-absent.js';
import { parseKeepOld } from '../time-options.js';

interface CreateOptions extends IfAbsentOption {
  name: string;
  redirectUri: string[];
  scope: string;
  owner?: string;
  description?: string;
  homePage?: string;
  privacyPolicy?: string;
  terms?: string;
  firstParty?: true;
  requiredScope?: string[];
  postLogoutRedirectUri?: string[];
  idTokenAlg: SigningAlgorithm;
  public?: true;
  pkce: boolean;
}

/** Registers an app. */
export async function registerApp(options: CreateOptions): Promise<object> {
  const clientType = options.public ? 'public' : 'confidential';
  const settings = {
    name: options.name,
    description: options.description ?? null,
    homePage: options.homePage ?? null,
    privacyPolicy: options.privacyPolicy ?? null,
    termsOfService: options.terms ?? null,
    redirectUris: options.redirectUri,
    scopes: splitScope(options.scope),
    requiredScopes: options.requiredScope?.flatMap(splitScope),
    postLogoutRedirectUris: options.postLogoutRedirectUri ?? [],
    idTokenAlg: options.idTokenAlg,
    pkceRequired: options.pkce,
  };
  parseAppSettings(settings, clientType);
  return withApplication([MetricsModule, AppsModule], async (app) => {
    const { owner: username, firstParty: isFirstParty = false } = options;
    const create = async (): Promise<AppWithSecret> => {
      const owner = username === undefined ? null : await app.get(AccountsStore).getByUsernameOrEmail(username);
      return app.get(AppsService).register({ ...settings, clientType, isFirstParty, ownerId: owner?.id });
    };
    const find = async (): Promise<AppWithSecret | null> => {
      const existing = await app.get(AppsStore).findByName(options.name.trim());
      return existing && { app: existing, clientSecret: null };
    };
    return toSecretOutput(await createIfAbsent(options, create, find));
  });
}

/** Gives an app a new secret. */
export async function rotateAppSecret({ keepOld }: { keepOld?: string }, id = ''): Promise<object> {
  const previousSecretTtlMs = keepOld === undefined ? 0 : parseKeepOld(keepOld);
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toSecretOutput(await app.get(AppsService).rotateSecret(id, { previousSecretTtlMs })),
  );
}

/** Disables an app. */
export function disableApp(_: object, id = ''): Promise<object> {
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toAppOutput(await app.get(AppsService).disable(await findAppId(app, id))),
  );
}

/** Enables a disabled app. */
export function enableApp(_: object, id = ''): Promise<object> {
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toAppOutput(await app.get(AppsService).enable(await findAppId(app, id))),
  );
}

/** Deletes an app. */
export function deleteApp(_: object, id = ''): Promise<object> {
  return withApplication([MetricsModule, AppsModule], async (app) => {
    await app.get(AppDeletionService).delete(await findAppId(app, id));
    return { client_id: id };
  });
}

/** Marks an app as one of the operator's own, or removes the mark. */
export function setFirstParty({ off = false }: { off?: boolean }, id = ''): Promise<object> {
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toAppOutput(await app.get(AppsService).setFirstParty(await findAppId(app, id), !off)),
  );
}

/** Shows an app on the page of apps, or removes it. */
export function listPublicly({ off = false }: { off?: boolean }, id = ''): Promise<object> {
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toAppOutput(await app.get(AppsService).setListed(await findAppId(app, id), !off)),
  );
}

/** Gives an app its own limit of token responses, or the default again. */
export async function limitApp({ tokenRate }: { tokenRate: string }, id = ''): Promise<object> {
  const limit = parseTokenRate(tokenRate);
  return withApplication([MetricsModule, AppsModule], async (app) =>
    toAppOutput(await app.get(AppsService).setTokenRateLimit(await findAppId(app, id), limit)),
  );
}

/** @throws DomainError invalid, which names the accepted values */
function parseTokenRate(text: string): number | null {
  if (text === 'default') return null;
  const limit = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_RATE_LIMIT) return limit;
  throw createUsageError(
    `--token-rate must be default or a whole number of token responses per minute from 1 to ${MAX_RATE_LIMIT}.`,
  );
}

/** Returns all apps. */
export function listApps(): Promise<object[]> {
  return withApplication([MetricsModule, AppsModule], async (app) =>
    (await app.get(AppsStore).list()).map(toAppOutput),
  );
}

function toSecretOutput({ app, clientSecret }: AppWithSecret): object {
  return { client_id: app.id, ...(clientSecret !== null && { client_secret: clientSecret }) };
}

/** Returns the id of an app, which can be named by the address of its metadata document. */
async function findAppId(app: INestApplicationContext, clientId: string): Promise<string> {
  return (await app.get(AppsStore).findByMetadataUrl(clientId))?.id ?? clientId;
}

function toAppOutput(app: App): object {
  const { name, description, homePage, redirectUris, scopes, isFirstParty, listing, tokenRateLimit, disabledAt } = app;
  return {
    client_id: getClientId(app),
    name,
    description,
    home_page: homePage,
    redirect_uris: redirectUris,
    scopes,
    first_party: isFirstParty,
    listing,
    token_rate_limit: tokenRateLimit,
    disabled_at: disabledAt?.toISOString() ?? null,
  };
}
