import { Command } from 'commander';
import { addAccountsCommands } from './commands/accounts.commands.js';
import { addAppsCommands, addKeysCommands, addTokensCommands } from './commands/apps.commands.js';
import { addAuditCommand, addBackupCommand, addDemoCommand, addMigrateCommand } from './commands/database.commands.js';
import { addArtistsCommands, addMarkersCommands, addRegionsCommands } from './commands/map.commands.js';
import { formatError } from './format-error.js';
import type { LoadAppModule } from './run-handler.js';

/**
 * Runs the command in the arguments of this process. A failure prints its message and ends the
 * process with exit code 1.
 * @param loadAppModule loads the module with all modules of the service
 */
export async function runCommandLine(loadAppModule: LoadAppModule): Promise<void> {
  const program = new Command('street-art')
    .description('Administer the street art map. Commands read the same environment variables as the service.')
    .showHelpAfterError('Run the command with --help to see its arguments and options.');
  // The help lists the commands in this order.
  addMigrateCommand(program);
  addDemoCommand(program);
  addAccountsCommands(program, loadAppModule);
  addAppsCommands(program);
  addTokensCommands(program);
  addKeysCommands(program);
  addAuditCommand(program);
  addBackupCommand(program);
  addRegionsCommands(program);
  addMarkersCommands(program);
  addArtistsCommands(program);

  // The reader of the output may close it early, as `head` does.
  process.stdout.on('error', () => process.exit(0));

  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`);
    process.exit(1); // connections may still be open
  }
}
