import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/**
 * Builds `backup`. The command applies no migration, so that it can run before an upgrade, and
 * needs no `MASTER_SECRET`.
 */
export function buildBackupCommand(): Command {
  const command = new Command('backup')
    .description('Back up the SQLite database while the service runs')
    .argument('<file>', 'path of the backup; the file must not exist');
  return withHandler(command, async () => (await import('../handlers/backup.handlers.js')).backUpDatabase);
}
