import { Command, Option } from 'commander';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import type { App } from '../../identity/clients/app.entity.js';
import { AppsService } from '../../identity/clients/apps.service.js';
import { AppsStore } from '../../identity/clients/apps.store.js';
import type { AppWithSecret } from '../../identity/clients/new-app.js';
import type { SigningAlgorithm } from '../../identity/keys/signing-key.entity.js';
import { parseScope } from '../../identity/scopes/scopes.js';
import { parseKeepOld } from './time-options.js';
import { appCommand } from './command-runner.js';

interface CreateOptions {
  name: string;
  redirectUri: string[];
  scope: string;
  owner?: string;
  description?: string;
  homePage?: string;
  requiredScope?: string[];
  postLogoutRedirectUri?: string[];
  idTokenAlg: SigningAlgorithm;
  pkce: boolean;
}

export function buildAppsCommand(): Command {
  return new Command('apps')
    .description('third-party apps')
    .addCommand(buildCreateCommand())
    .addCommand(buildRotateSecretCommand())
    .addCommand(buildDisableCommand())
    .addCommand(buildEnableCommand())
    .addCommand(buildListCommand());
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('register an app; its secret is printed this once')
    .requiredOption('--name <name>')
    .requiredOption('--redirect-uri <uri...>', 'where people are sent back to')
    .requiredOption('--scope <scopes>', 'what it may ask for, separated by spaces')
    .option('--owner <username>', 'who registers it')
    .option('--description <sentence>', 'what it does for people')
    .option('--home-page <address>')
    .option('--required-scope <scope...>', 'what a person cannot leave out')
    .option('--post-logout-redirect-uri <uri...>', 'where people may be sent after they signed out')
    .addOption(new Option('--id-token-alg <algorithm>').choices(['RS256', 'ES256']).default('RS256'))
    .option('--no-pkce', 'let it do without PKCE');
  return appCommand<CreateOptions>(command, async (app, options) => {
    const owner = options.owner === undefined ? null : await app.get(AccountsStore).getByLogin(options.owner);
    const registered = await app.get(AppsService).register({
      name: options.name,
      description: options.description ?? null,
      homePage: options.homePage ?? null,
      redirectUris: options.redirectUri,
      scopes: parseScope(options.scope),
      requiredScopes: options.requiredScope?.flatMap(parseScope),
      postLogoutRedirectUris: options.postLogoutRedirectUri ?? [],
      ownerId: owner?.id,
      idTokenAlg: options.idTokenAlg,
      pkceRequired: options.pkce,
    });
    return toSecretOutput(registered);
  });
}

function buildRotateSecretCommand(): Command {
  const command = new Command('rotate-secret')
    .description('a new secret, printed this once; the old one stops, unless it is kept for a while')
    .argument('<id>')
    .option('--keep-old <time>', 'how long the old one stays good, such as 24h; who still uses it, audit tells');
  return appCommand<{ keepOld?: string }>(command, async (app, { keepOld }, id) =>
    toSecretOutput(
      await app
        .get(AppsService)
        .rotateSecret(id, { previousSecretTtlMs: keepOld === undefined ? 0 : parseKeepOld(keepOld) }),
    ),
  );
}

function buildDisableCommand(): Command {
  return appCommand(
    new Command('disable').description('give an app no more tokens').argument('<id>'),
    async (app, _, id) => toAppOutput(await app.get(AppsService).disable(id)),
  );
}

function buildEnableCommand(): Command {
  return appCommand(new Command('enable').description('end that').argument('<id>'), async (app, _, id) =>
    toAppOutput(await app.get(AppsService).enable(id)),
  );
}

function buildListCommand(): Command {
  return appCommand(new Command('list').description('all apps'), async (app) =>
    (await app.get(AppsStore).list()).map(toAppOutput),
  );
}

function toSecretOutput({ app, clientSecret }: AppWithSecret): object {
  return { client_id: app.id, client_secret: clientSecret };
}

function toAppOutput({ id, name, redirectUris, scopes, disabledAt }: App): object {
  return { client_id: id, name, redirect_uris: redirectUris, scopes, disabled_at: disabledAt?.toISOString() ?? null };
}
