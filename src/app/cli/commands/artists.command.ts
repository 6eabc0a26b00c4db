import { Command } from 'commander';
import { buildLockCommands } from './lock-commands.js';

/** Builds `artists` and its subcommands. */
export function buildArtistsCommand(): Command {
  const command = new Command('artists').description('Lock and unlock artists');
  for (const subcommand of buildLockCommands('artist', 'artist')) command.addCommand(subcommand);
  return command;
}
