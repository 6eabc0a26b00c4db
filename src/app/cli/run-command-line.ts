import { Command } from 'commander';
import { toErrorMessage } from '../../platform/logging/error-message.js';
import { buildAccountsCommand } from './commands/accounts.command.js';
import { buildAppsCommand } from './commands/apps.command.js';
import { buildAuditCommand } from './commands/audit.command.js';
import { buildBackupCommand } from './commands/backup.command.js';
import { buildDemoCommand } from './commands/demo.command.js';
import { buildKeysCommand } from './commands/keys.command.js';
import { buildMarkersCommand } from './commands/markers.command.js';
import { buildMigrateCommand } from './commands/migrate.command.js';
import { buildRegionsCommand } from './commands/regions.command.js';
import { buildTokensCommand } from './commands/tokens.command.js';

/** Runs the command that the arguments of this process name. A failure prints one sentence and ends with exit code 1. */
export async function runCommandLine(): Promise<void> {
  const program = new Command('street-art')
    .description('Looks after the street art map. Settings come from the environment, as for the service.')
    .showHelpAfterError('Add --help to see what a command takes.')
    .addCommand(buildMigrateCommand())
    .addCommand(buildDemoCommand())
    .addCommand(buildAccountsCommand())
    .addCommand(buildAppsCommand())
    .addCommand(buildTokensCommand())
    .addCommand(buildKeysCommand())
    .addCommand(buildAuditCommand())
    .addCommand(buildBackupCommand())
    .addCommand(buildRegionsCommand())
    .addCommand(buildMarkersCommand());

  // The reader of our output may close it early, as `head` does.
  process.stdout.on('error', () => process.exit(0));

  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${toErrorMessage(error)}\n`);
    process.exit(1); // connections may still be open
  }
}
