import { Command, Option } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/apps.handlers.js');

/** Builds `apps` and its subcommands. */
export function buildAppsCommand(): Command {
  return new Command('apps')
    .description('Manage third-party apps')
    .addCommand(buildCreateCommand())
    .addCommand(buildRotateSecretCommand())
    .addCommand(buildDisableCommand())
    .addCommand(buildEnableCommand())
    .addCommand(buildFirstPartyCommand())
    .addCommand(buildListCommand());
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('Register an app and print its client ID and client secret. The secret is shown only once')
    .requiredOption('--name <name>', 'name on the consent page (required)')
    .requiredOption('--redirect-uri <uri...>', 'redirect URI; can be repeated (required)')
    .requiredOption('--scope <scopes>', 'scopes that the app can request, separated by spaces (required)')
    .option('--owner <username>', 'account that manages the app on its developer pages (default: none)')
    .option(
      '--description <sentence>',
      'purpose of the app, up to 500 characters, for the consent page (default: none)',
    )
    .option('--home-page <url>', 'home page of the app (default: none)')
    .option('--privacy-policy <url>', 'privacy policy of the app (default: none)')
    .option('--terms <url>', 'terms of service of the app (default: none)')
    .option('--first-party', 'mark the app as one that you run yourself (default: no)')
    .option(
      '--required-scope <scope...>',
      'scope that a person cannot deselect on the consent page; can be repeated (default: none)',
    )
    .option('--post-logout-redirect-uri <uri...>', 'redirect URI after sign-out; can be repeated (default: none)')
    .addOption(
      new Option('--id-token-alg <algorithm>', 'algorithm that signs ID tokens')
        .choices(['RS256', 'ES256'])
        .default('RS256'),
    )
    .option('--public', 'register an app that cannot keep a secret: a phone, desktop or browser app (default: no)')
    .addOption(
      new Option('--no-pkce', 'accept authorization requests without PKCE (default: PKCE is required)').conflicts(
        'public',
      ),
    );
  return withHandler(command, async () => (await loadHandlers()).createApp);
}

function buildRotateSecretCommand(): Command {
  const command = new Command('rotate-secret')
    .description('Replace the client secret of an app and print the new one, which is shown only once')
    .argument('<id>', 'client ID of the app')
    .option(
      '--keep-old <duration>',
      'time for which the old secret still works, in s, m, h or d: 1s to 30d, such as 24h (default: none)',
    );
  return withHandler(command, async () => (await loadHandlers()).rotateAppSecret);
}

function buildDisableCommand(): Command {
  const command = new Command('disable')
    .description('Disable an app: it gets no tokens, and its API calls are rejected')
    .argument('<id>', 'client ID of the app');
  return withHandler(command, async () => (await loadHandlers()).disableApp);
}

function buildEnableCommand(): Command {
  const command = new Command('enable')
    .description('Re-enable a disabled app')
    .argument('<id>', 'client ID of the app');
  return withHandler(command, async () => (await loadHandlers()).enableApp);
}

function buildFirstPartyCommand(): Command {
  const command = new Command('set-first-party')
    .description('Mark an app as one that you run yourself. The consent page then says so')
    .argument('<id>', 'client ID of the app')
    .option('--off', 'remove the mark (default: no)');
  return withHandler(command, async () => (await loadHandlers()).setFirstParty);
}

function buildListCommand(): Command {
  const command = new Command('list').description('List all apps');
  return withHandler(command, async () => (await loadHandlers()).listApps);
}
