import { type Command, Option } from 'commander';
import { addIfAbsentOption } from '../create-if-absent.js';
import { runHandler } from '../run-handler.js';

const loadHandlers = () => import('../handlers/apps.handlers.js');
const loadTokenHandlers = () => import('../handlers/tokens.handlers.js');

/** Adds `apps` and its subcommands. */
export function addAppsCommands(program: Command): void {
  const apps = program.command('apps').description('Manage third-party apps');
  const create = apps
    .command('create')
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
  runHandler(addIfAbsentOption(create, 'app with this name'), async () => (await loadHandlers()).registerApp);

  const rotateSecret = apps
    .command('rotate-secret')
    .description('Replace the client secret of an app and print the new one, which is shown only once')
    .argument('<id>', 'client ID of the app')
    .option(
      '--keep-old <duration>',
      'time for which the old secret still works, in s, m, h or d: 1s to 30d, such as 24h (default: none)',
    );
  runHandler(rotateSecret, async () => (await loadHandlers()).rotateAppSecret);

  const disable = apps
    .command('disable')
    .description('Disable an app: it gets no tokens, and its API calls are rejected')
    .argument('<id>', 'client ID of the app');
  runHandler(disable, async () => (await loadHandlers()).disableApp);

  const enable = apps
    .command('enable')
    .description('Re-enable a disabled app')
    .argument('<id>', 'client ID of the app');
  runHandler(enable, async () => (await loadHandlers()).enableApp);

  const deleteCommand = apps
    .command('delete')
    .description('Delete an app for good: everyone loses the connection, and no other app can have its name')
    .argument('<id>', 'client ID of the app');
  runHandler(deleteCommand, async () => (await loadHandlers()).deleteApp);

  const setFirstParty = apps
    .command('set-first-party')
    .description('Mark an app as one that you run yourself. The consent page then says so')
    .argument('<id>', 'client ID of the app')
    .option('--off', 'remove the mark (default: no)');
  runHandler(setFirstParty, async () => (await loadHandlers()).setFirstParty);

  const listPublicly = apps
    .command('list-publicly')
    .description('Show an app on the page /apps, if its owner offers it')
    .argument('<id>', 'client ID of the app')
    .option('--off', 'remove the app from the page (default: no)');
  runHandler(listPublicly, async () => (await loadHandlers()).listPublicly);

  const limit = apps
    .command('limit')
    .description('Give an app its own limit of token responses per minute to each network')
    .argument('<id>', 'client ID of the app')
    .requiredOption(
      '--token-rate <limit>',
      'token responses per minute, 1 to 10000000, or default for the setting TOKEN_RATE_LIMIT (required)',
    );
  runHandler(limit, async () => (await loadHandlers()).limitApp);

  runHandler(apps.command('list').description('List all apps'), async () => (await loadHandlers()).listApps);
}

/** Adds `tokens` and its subcommands. */
export function addTokensCommands(program: Command): void {
  const tokens = program.command('tokens').description('Manage access and refresh tokens');
  const issue = tokens
    .command('issue')
    .description('Issue an access token and a refresh token without a browser, to try the API')
    .requiredOption('--app <id>', 'client ID of the app (required)')
    .requiredOption('--account <username>', 'account that the tokens act for (required)')
    .requiredOption('--scope <scopes>', 'scopes of the tokens, separated by spaces (required)');
  runHandler(issue, async () => (await loadTokenHandlers()).issueTokens);

  const purge = tokens
    .command('purge')
    .description(
      'Delete expired tokens, codes, sessions, sign-in attempts and old audit events, as the service does every hour',
    )
    .option('--confirm-clock', 'delete even if the clock does not fit the rows of SQLite: it is right (default: no)');
  runHandler(purge, async () => (await loadTokenHandlers()).purgeExpiredRows);
}

/** Adds `keys` and its subcommands. */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('Manage signing keys');
  const list = keys.command('list').description('List signing keys, newest first');
  runHandler(list, async () => (await loadTokenHandlers()).listKeys);

  const rotate = keys
    .command('rotate')
    .description('Create new signing keys; the old keys are deleted after their last token expires')
    .option('--now', 'delete the old keys at once, which invalidates every access token; use it if a key leaked');
  runHandler(rotate, async () => (await loadTokenHandlers()).rotateKeys);
}
