import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/tokens.handlers.js');

/** Builds `tokens` and its subcommands. */
export function buildTokensCommand(): Command {
  return new Command('tokens')
    .description('Manage access and refresh tokens')
    .addCommand(buildIssueCommand())
    .addCommand(buildPurgeCommand());
}

function buildIssueCommand(): Command {
  const command = new Command('issue')
    .description('Issue an access token and a refresh token without a browser, to try the API')
    .requiredOption('--app <id>', 'client ID of the app (required)')
    .requiredOption('--account <username>', 'account that the tokens act for (required)')
    .requiredOption('--scope <scopes>', 'scopes of the tokens, separated by spaces (required)');
  return withHandler(command, async () => (await loadHandlers()).issueTokens);
}

function buildPurgeCommand(): Command {
  const command = new Command('purge').description(
    'Delete expired tokens, codes, sessions, sign-in attempts and old audit events, as the service does every hour',
  );
  return withHandler(command, async () => (await loadHandlers()).purgeExpiredRows);
}
