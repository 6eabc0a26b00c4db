import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/tokens.handlers.js');

/** Builds `tokens` and its subcommands. */
export function buildTokensCommand(): Command {
  return new Command('tokens')
    .description('access and refresh tokens')
    .addCommand(buildIssueCommand())
    .addCommand(buildPurgeCommand());
}

function buildIssueCommand(): Command {
  const command = new Command('issue')
    .description('a token pair without the browser, for trying things out')
    .requiredOption('--app <id>')
    .requiredOption('--account <username>')
    .requiredOption('--scope <scopes>', 'separated by spaces');
  return withHandler(command, async () => (await loadHandlers()).issueTokens);
}

function buildPurgeCommand(): Command {
  const command = new Command('purge').description(
    'delete tokens, codes, sessions and attempts to sign in that no longer matter, as the service does every hour',
  );
  return withHandler(command, async () => (await loadHandlers()).purgeExpiredRows);
}
