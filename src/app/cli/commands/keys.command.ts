import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/keys.handlers.js');

/** Builds `keys` and its subcommands. */
export function buildKeysCommand(): Command {
  return new Command('keys')
    .description('signing keys')
    .addCommand(buildListCommand())
    .addCommand(buildRotateCommand());
}

function buildListCommand(): Command {
  const command = new Command('list').description('the keys that sign tokens, the newest first');
  return withHandler(command, async () => (await loadHandlers()).listKeys);
}

function buildRotateCommand(): Command {
  const command = new Command('rotate')
    .description('new keys, which sign in a few seconds; those before them go when their last token has run out')
    .option('--now', 'for keys in wrong hands: those before go at once, and every access token with them');
  return withHandler(command, async () => (await loadHandlers()).rotateKeys);
}
