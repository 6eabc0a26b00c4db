import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/keys.handlers.js');

/** Builds `keys` and its subcommands. */
export function buildKeysCommand(): Command {
  return new Command('keys')
    .description('Manage signing keys')
    .addCommand(buildListCommand())
    .addCommand(buildRotateCommand());
}

function buildListCommand(): Command {
  const command = new Command('list').description('List signing keys, newest first');
  return withHandler(command, async () => (await loadHandlers()).listKeys);
}

function buildRotateCommand(): Command {
  const command = new Command('rotate')
    .description('Create new signing keys; the old keys are deleted after their last token expires')
    .option('--now', 'delete the old keys at once, which invalidates every access token; use it if a key leaked');
  return withHandler(command, async () => (await loadHandlers()).rotateKeys);
}
