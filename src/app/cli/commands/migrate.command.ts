import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `migrate`. */
export function buildMigrateCommand(): Command {
  const command = new Command('migrate').description('Apply pending database migrations');
  return withHandler(command, async () => (await import('../handlers/migrate.handlers.js')).migrateDatabase);
}
