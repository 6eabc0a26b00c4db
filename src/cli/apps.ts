import { Command, Option } from 'commander';
import { AccountsService } from '../accounts/accounts.service.js';
import type { App } from '../apps/app.entity.js';
import { type AppWithSecret, AppsService } from '../apps/apps.service.js';
import type { SigningAlgorithm } from '../keys/signing-key.entity.js';
import { splitScope } from '../scopes/catalogue.js';
import { readKeepOld } from './moments.js';
import { does } from './run.js';

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

export function appsCommand(): Command {
  return new Command('apps')
    .description('third-party apps')
    .addCommand(create())
    .addCommand(rotateSecret())
    .addCommand(disable())
    .addCommand(enable())
    .addCommand(list());
}

function create(): Command {
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
  return does<CreateOptions>(command, async (app, options) => {
    const owner = options.owner === undefined ? null : await app.get(AccountsService).named(options.owner);
    const registered = await app.get(AppsService).register({
      name: options.name,
      description: options.description ?? null,
      homePage: options.homePage ?? null,
      redirectUris: options.redirectUri,
      scopes: splitScope(options.scope),
      requiredScopes: options.requiredScope?.flatMap(splitScope),
      postLogoutRedirectUris: options.postLogoutRedirectUri ?? [],
      ownerId: owner?.id,
      idTokenAlg: options.idTokenAlg,
      pkceRequired: options.pkce,
    });
    return withSecret(registered);
  });
}

function rotateSecret(): Command {
  const command = new Command('rotate-secret')
    .description('a new secret, printed this once; the old one stops, unless it is kept for a while')
    .argument('<id>')
    .option('--keep-old <time>', 'how long the old one stays good, such as 24h; who still uses it, audit tells');
  return does<{ keepOld?: string }>(command, async (app, { keepOld }, id) =>
    withSecret(
      await app.get(AppsService).rotateSecret(id, { keepOld: keepOld === undefined ? 0 : readKeepOld(keepOld) }),
    ),
  );
}

function disable(): Command {
  return does(new Command('disable').description('give an app no more tokens').argument('<id>'), async (app, _, id) =>
    shown(await app.get(AppsService).disable(id)),
  );
}

function enable(): Command {
  return does(new Command('enable').description('end that').argument('<id>'), async (app, _, id) =>
    shown(await app.get(AppsService).enable(id)),
  );
}

function list(): Command {
  return does(new Command('list').description('all apps'), async (app) =>
    (await app.get(AppsService).list()).map(shown),
  );
}

function withSecret({ app, clientSecret }: AppWithSecret): object {
  return { client_id: app.id, client_secret: clientSecret };
}

function shown({ id, name, redirectUris, scopes, disabledAt }: App): object {
  return { client_id: id, name, redirect_uris: redirectUris, scopes, disabled_at: disabledAt?.toISOString() ?? null };
}
