import { Command, Option } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/apps.handlers.js');

/** Builds `apps` and its subcommands. */
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
  return withHandler(command, async () => (await loadHandlers()).createApp);
}

function buildRotateSecretCommand(): Command {
  const command = new Command('rotate-secret')
    .description('a new secret, printed this once; the old one stops, unless it is kept for a while')
    .argument('<id>')
    .option('--keep-old <time>', 'how long the old one stays good, such as 24h; who still uses it, audit tells');
  return withHandler(command, async () => (await loadHandlers()).rotateAppSecret);
}

function buildDisableCommand(): Command {
  const command = new Command('disable').description('give an app no more tokens').argument('<id>');
  return withHandler(command, async () => (await loadHandlers()).disableApp);
}

function buildEnableCommand(): Command {
  const command = new Command('enable').description('end that').argument('<id>');
  return withHandler(command, async () => (await loadHandlers()).enableApp);
}

function buildListCommand(): Command {
  const command = new Command('list').description('all apps');
  return withHandler(command, async () => (await loadHandlers()).listApps);
}
