import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `backup`. It applies no migration, so that it can run before an upgrade, and needs no MASTER_SECRET. */
export function buildBackupCommand(): Command {
  const command = new Command('backup')
    .description('copy the SQLite file into a new one, while the service runs')
    .argument('<file>', 'where to; it must not be there yet');
  return withHandler(command, async () => (await import('../handlers/backup.handlers.js')).backUpDatabase);
}
